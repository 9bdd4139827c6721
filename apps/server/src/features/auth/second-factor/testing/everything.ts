import type { TestServer } from '@postil/testkit/boot.ts'
import { openStore } from '#platform/db/open.ts'
import { allRows } from './operations.ts'

/** Whatever the database of a server holds, as one text. */
export const everything = async ({ app }: TestServer): Promise<string> => {
  const { dataDir, databaseUrl } = app.ctx.config
  const operations = new URL('./operations.ts', import.meta.url).href
  const tool = await openStore({ dataDir, databaseUrl, operations, exclusive: false })
  try {
    return await tool.read(allRows, {})
  } finally {
    await tool.close()
  }
}
