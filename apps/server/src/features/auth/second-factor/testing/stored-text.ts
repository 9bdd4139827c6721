import type { TestServer } from '@postil/testkit/boot.ts'
import { openStore } from '#platform/db/open.ts'
import { allRows } from './operations.ts'

/** The entire content of a server's database as a single string. */
export const storedText = async ({ app }: TestServer): Promise<string> => {
  const { dataDir, databaseUrl } = app.ctx.config
  const operations = new URL('./operations.ts', import.meta.url).href
  const tool = await openStore({ dataDir, databaseUrl, operations, exclusive: false })
  try {
    return await tool.read(allRows, {})
  } finally {
    await tool.close()
  }
}
