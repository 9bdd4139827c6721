import { setTimeout } from 'node:timers/promises'
import type { TestServer } from '@postil/testkit/boot.ts'
import { openStore } from '#platform/db/open.ts'
import type { Store } from '#platform/db/store.ts'
import { countUnfinishedJobs } from './operations.ts'

/** Opens the store of a server under test and registers the operations of the durability tests. */
export const openTool = (server: TestServer): Promise<Store> => {
  const { dataDir, databaseUrl } = server.app.ctx.config
  const operations = new URL('./operations.ts', import.meta.url).href
  return openStore({ dataDir, databaseUrl, operations, exclusive: false })
}

/** Waits until no job is left. On a busy machine, jobs do work that a request had no time to finish. */
export const jobsEnd = async (tool: Store): Promise<void> => {
  while ((await tool.read(countUnfinishedJobs, {})) > 0) await setTimeout(20)
}
