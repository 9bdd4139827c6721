import { unavailable } from '@postil/contract/wire/errors.ts'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { bootIdleServer, type IdleServer } from '#features/jobs/testing/idle-server.ts'
import { fillAgreement } from '#features/responses/agreement/fill.ts'
import { forgetAgreement } from '#features/responses/testing/operations.ts'
import type { Store } from '#platform/db/store.ts'
import { takeJobs } from '#platform/jobs/operations.ts'
import { resumeRebuilds } from './resume-rebuilds.ts'

let idleServer: IdleServer
beforeAll(async () => {
  idleServer = await bootIdleServer(new URL('./features/jobs/testing/operations.ts', import.meta.url))
})
afterAll(() => idleServer.close())

/** A store with a node that is down for the first reads. */
const storeWithout = (store: Store, failing: number): Store => {
  let reads = 0
  return {
    ...store,
    read: (query, args, options) => {
      reads += 1
      return reads > failing ? store.read(query, args, options) : Promise.reject(unavailable('The database is unavailable'))
    },
  }
}
const claim = () => idleServer.tool.write(takeJobs, { kinds: [fillAgreement.kind], limit: 1, hold: 60_000_000 })

it('queues unfinished rebuilds once a node that was down is back', async () => {
  const { server, tool } = idleServer
  await server.createDataset()
  await tool.write(forgetAgreement, { dataset_no: 1 })
  const ctx = { log: server.app.ctx.log, store: storeWithout(server.app.ctx.store, 3) }
  const stopped = new AbortController()
  stopped.abort()
  await resumeRebuilds(ctx, stopped.signal, 1)
  expect(await claim()).toEqual([])
  await resumeRebuilds(ctx, new AbortController().signal, 1)
  await vi.waitFor(async () => expect(await claim()).toHaveLength(1), { timeout: 20_000 })
})

it('reports other errors', async () => {
  const { log, store } = idleServer.server.app.ctx
  const broken = { log, store: { ...store, read: () => Promise.reject(new Error('broken')) } }
  await expect(resumeRebuilds(broken, new AbortController().signal)).rejects.toThrow('broken')
})
