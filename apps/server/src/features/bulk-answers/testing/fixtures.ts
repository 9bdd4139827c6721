import type { Job } from '@postil/contract/jobs.ts'
import type { Record as WireRecord } from '@postil/contract/records.ts'
import type { Response } from '@postil/contract/responses.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, expect } from 'vitest'
import { bootIdleServer, type IdleServer } from '#features/jobs/testing/idle-server.ts'
import { recount } from '#features/records/service.ts'
import { takeJobs } from '#platform/jobs/operations.ts'
import { bulkAnswer } from '../job.ts'

const HOLD = 60_000_000
const options = (...values: readonly string[]) => values.map((value) => ({ value, text: value }))
const questions = [
  { name: 'label', required: true, settings: { type: 'label_selection', options: options('yes', 'no') } },
  { name: 'words', required: false, settings: { type: 'span', field: 'text', options: options('name') } },
]
export const yes = { label: { value: 'yes' } }

type BulkFixture = { idleServer: IdleServer; workspace: string; ann: TestUser; bob: TestUser; dataset: string }

/**
 * Sets up a server whose jobs run step by step, and two annotators in one workspace. Verifies all counts after the tests. The
 * returned values exist only while tests run.
 */
export const setUpBulk = () => {
  const fixture = {} as BulkFixture
  beforeAll(async () => {
    const idleServer = await bootIdleServer(new URL('../../jobs/testing/operations.ts', import.meta.url))
    const workspace = (await idleServer.server.createWorkspace()).id
    const join = () => idleServer.server.createUser({ workspaces: [workspace] })
    Object.assign(fixture, { idleServer, workspace, ann: await join(), bob: await join(), dataset: '' } satisfies BulkFixture)
  })
  afterAll(async () => {
    expect(await recount(fixture.idleServer.server.app.ctx)).toEqual([])
    await fixture.idleServer.close()
  })

  const store = () => fixture.idleServer.server.app.ctx.store
  const take = async () => (await store().write(takeJobs, { kinds: [bulkAnswer.kind], limit: 1, hold: HOLD }))[0]
  const step = ({ id, until }: { readonly id: string; readonly until: number }) =>
    store().write(bulkAnswer.step, { id, until, hold: HOLD })
  return {
    fixture,
    as: (user: TestUser) => fixture.idleServer.server.clientFor(user),
    /** The path of the most recently created dataset's jobs. */
    jobsPath: () => `/me/datasets/${fixture.dataset}/responses/bulk-jobs`,
    /** Creates a dataset with this many records, which becomes `fixture.dataset`. */
    createRecords: async (count: number, min_submitted = 1): Promise<readonly WireRecord[]> => {
      const { server } = fixture.idleServer
      const distribution = { strategy: 'overlap', min_submitted } as const
      fixture.dataset = (await server.createDataset({ workspace_id: fixture.workspace, questions, distribution })).id
      const items = Array.from({ length: count }, (_, i) => ({ external_id: `r${i}`, fields: { text: `Anna ${i}` } }))
      const path = `/datasets/${fixture.dataset}/records/bulk`
      return (await server.clientFor(server.owner).post<{ items: WireRecord[] }>(path, { items })).body.items
    },
    start: (body: object, user = fixture.ann) =>
      fixture.idleServer.server
        .clientFor(user)
        .post<Job & { detail: string }>(`/me/datasets/${fixture.dataset}/responses/bulk-jobs`, body),
    answer: async (record: string | undefined, body: object, user = fixture.ann): Promise<Response> =>
      (await fixture.idleServer.server.clientFor(user).post<Response>(`/records/${record}/responses`, body)).body,
    take,
    step,
    /** Runs all jobs to completion. */
    finish: async (): Promise<void> => {
      for (let held = await take(); held !== undefined; ) {
        const result = await step(held)
        held = result.state === 'started' ? { ...held, until: result.until } : await take()
      }
    },
  }
}
