import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import { openStore } from '#platform/db/open.ts'
import type { Store } from '#platform/db/store.ts'

/**
 * A server whose jobs the test runs step by step: the server itself looks for jobs only once, when it starts. `tool` provides
 * the test operations.
 */
export type IdleServer = { readonly server: TestServer; readonly tool: Store; readonly close: () => Promise<void> }

export const bootIdleServer = async (operations: URL, env: { readonly [name: string]: string } = {}): Promise<IdleServer> => {
  const server = await bootServer({ background: { pollMs: 2 ** 30 }, env })
  const { dataDir, databaseUrl } = server.app.ctx.config
  const tool = await openStore({ dataDir, databaseUrl, operations: operations.href, exclusive: false })
  const close = async () => {
    await tool.close()
    await server.close()
  }
  return { server, tool, close }
}
