import type { TestServer } from '@postil/testkit/boot.ts'
import { openStore } from '#platform/db/open.ts'
import { jobIds } from './operations.ts'

/** The ID of any background job on the server. At least one must exist. */
export const someJobOf = async ({ app }: TestServer): Promise<string> => {
  const { dataDir, databaseUrl } = app.ctx.config
  const operations = new URL('./operations.ts', import.meta.url).href
  const tool = await openStore({ dataDir, databaseUrl, operations, exclusive: false })
  try {
    const [id] = await tool.read(jobIds, {})
    if (id === undefined) throw new Error('there is no job')
    return id
  } finally {
    await tool.close()
  }
}
