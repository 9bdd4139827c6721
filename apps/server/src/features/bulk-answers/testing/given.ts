import type { Job } from '@postil/contract/jobs.ts'
import type { Record as WireRecord } from '@postil/contract/records.ts'
import type { Response } from '@postil/contract/responses.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, expect } from 'vitest'
import { bootIdle, type Idle } from '#features/jobs/testing/idle.ts'
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

type Crowd = { ground: Idle; workspace: string; ann: TestUser; bob: TestUser; dataset: string }

/**
 * A server whose jobs are carried out step by step, and two annotators of one workspace; after all tests everything is recounted. What is read of it is
 * there once they run.
 */
export const setUpBulk = () => {
  const crowd = {} as Crowd
  beforeAll(async () => {
    const ground = await bootIdle(new URL('../../jobs/testing/operations.ts', import.meta.url))
    const workspace = (await ground.server.createWorkspace()).id
    const join = () => ground.server.createUser({ workspaces: [workspace] })
    Object.assign(crowd, { ground, workspace, ann: await join(), bob: await join(), dataset: '' } satisfies Crowd)
  })
  afterAll(async () => {
    expect(await recount(crowd.ground.server.app.ctx)).toEqual([])
    await crowd.ground.close()
  })

  const store = () => crowd.ground.server.app.ctx.store
  const take = async () => (await store().write(takeJobs, { kinds: [bulkAnswer.kind], limit: 1, hold: HOLD }))[0]
  const step = ({ id, until }: { readonly id: string; readonly until: number }) =>
    store().write(bulkAnswer.step, { id, until, hold: HOLD })
  return {
    crowd,
    as: (user: TestUser) => crowd.ground.server.as(user),
    /** The jobs of the dataset that was made last. */
    jobsPath: () => `/me/datasets/${crowd.dataset}/responses/bulk-jobs`,
    /** A dataset with so many records, which is `crowd.dataset` from now on. */
    given: async (count: number, min_submitted = 1): Promise<readonly WireRecord[]> => {
      const { server } = crowd.ground
      const distribution = { strategy: 'overlap', min_submitted } as const
      crowd.dataset = (await server.createDataset({ workspace_id: crowd.workspace, questions, distribution })).id
      const items = Array.from({ length: count }, (_, i) => ({ external_id: `r${i}`, fields: { text: `Anna ${i}` } }))
      const path = `/datasets/${crowd.dataset}/records/bulk`
      return (await server.as(server.owner).post<{ items: WireRecord[] }>(path, { items })).body.items
    },
    start: (body: object, user = crowd.ann) =>
      crowd.ground.server.as(user).post<Job & { detail: string }>(`/me/datasets/${crowd.dataset}/responses/bulk-jobs`, body),
    answer: async (record: string | undefined, body: object, user = crowd.ann): Promise<Response> =>
      (await crowd.ground.server.as(user).post<Response>(`/records/${record}/responses`, body)).body,
    take,
    step,
    /** Carries out all jobs to their end. */
    finish: async (): Promise<void> => {
      for (let held = await take(); held !== undefined; ) {
        const result = await step(held)
        held = result.state === 'started' ? { ...held, until: result.until } : await take()
      }
    },
  }
}
