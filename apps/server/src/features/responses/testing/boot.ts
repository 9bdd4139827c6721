import type { TestServer } from '@postil/testkit/boot.ts'
import { bootServer } from '@postil/testkit/boot.ts'
import { openStore } from '#platform/db/open.ts'
import type { Store } from '#platform/db/store.ts'
import { insertRecords } from './operations.ts'

export type ResponsesServer = TestServer & {
  /** A second connection to the server's database that also provides the test operations. */
  readonly tool: Store
  readonly addRecords: (
    datasetId: string,
    count: number,
    fields?: (i: number) => { readonly [name: string]: unknown },
  ) => Promise<string[]>
}

/** Starts a server with a second connection to its database. Webhook events stay in the outbox. */
export const bootWithTool = async (): Promise<ResponsesServer> => {
  const server = await bootServer({ delivery: null })
  const { dataDir, databaseUrl } = server.app.ctx.config
  const tool = await openStore({
    dataDir,
    databaseUrl,
    operations: new URL('./operations.ts', import.meta.url).href,
    exclusive: false,
  })
  return {
    ...server,
    tool,
    addRecords: (dataset_id, count, fields = (i) => ({ text: `text ${i}` })) =>
      tool.write(insertRecords, { dataset_id, records: Array.from({ length: count }, (_, i) => fields(i)) }),
    close: async () => {
      await tool.close()
      await server.close()
    },
  }
}
