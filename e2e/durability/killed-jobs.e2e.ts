import { setTimeout as pause } from 'node:timers/promises'
import type { Job } from '@postil/contract/jobs.ts'
import { type Client, createClient } from '@postil/testkit/client.ts'
import { isFullRun, scaled } from '@postil/testkit/run-size.ts'
import { expect, it } from 'vitest'
import { serverPerTest } from '#harness/server-per-test.ts'
import { owner, seedDataset } from './fixtures.ts'
import { findDifferences } from './inspect.ts'

/** Enough records for several steps of a job. */
const RECORDS = scaled(2_000, 40_000)
const IN_BULK = 500
/**
 * How long a job may run before each kill, in milliseconds. Each time is longer than the previous one, so that every job ends.
 */
const runningTimes = isFullRun ? [40, 90, 160, 250, 400, 700, 1_200, 2_000] : [60, 250, 900]

const target = serverPerTest()

const client = (): Client => createClient(target.server.url, owner)
const jobOf = async (id: string) => (await client().get<Job>(`/jobs/${id}`)).body
const isEnded = ({ status }: Job): boolean => status === 'finished' || status === 'failed'

/**
 * Kills the server repeatedly until the job has ended.
 * @returns the ended job, and the number of kills after which the job was partly done
 */
const runWithKills = async (id: string): Promise<{ readonly job: Job; readonly interrupted: number }> => {
  let interrupted = 0
  for (const time of runningTimes) {
    await pause(time)
    await target.server.kill()
    expect(await findDifferences(target.place)).toEqual([])
    await target.restart()
    const job = await jobOf(id)
    if (isEnded(job)) return { job, interrupted }
    if ((job.done ?? 0) > 0) interrupted += 1
  }
  await expect.poll(async () => isEnded(await jobOf(id)), { timeout: 60_000 }).toBe(true)
  return { job: await jobOf(id), interrupted }
}

/** Two people answer every record. They agree on all records except for every tenth. */
const seedAnswers = async () => {
  const { dataset, factories, workspace } = await seedDataset(target.server, 0)
  const users = await Promise.all([0, 1].map(() => factories.createUser({ workspaces: [workspace.id] })))
  for (let first = 0; first < RECORDS; first += IN_BULK) {
    const items = Array.from({ length: IN_BULK }, (_, i) => ({
      fields: { text: `text ${first + i}` },
      responses: users.map(({ id }, user) => ({
        user_id: id,
        status: 'submitted',
        values: { label: { value: (first + i) % 10 === 0 && user === 1 ? 'no' : 'yes' } },
      })),
    }))
    const { status } = await client().put(`/datasets/${dataset.id}/records/bulk`, { items })
    expect(status).toBe(200)
  }
  return dataset
}

const countWith = async (dataset: string, label: string, user?: string) => {
  const scope = { entity: 'response', question: 'label', ...(user && { user }) }
  const body = { filters: { type: 'and', and: [{ type: 'terms', scope, values: [label] }] } }
  return (await client().post<{ total: number }>(`/datasets/${dataset}/records/search?limit=1`, body)).body.total
}

it('final answers and changed labels are complete, and nothing is done twice, when the server is killed during their jobs', async () => {
  const { id } = await seedAnswers()
  await client().put(`/datasets/${id}/review-settings`, { mode: 'disagreements' })
  const started = await client().post<Job>(`/datasets/${id}/gold/jobs`, { search: {}, rule: 'unanimous', questions: ['label'] })
  expect(started.status).toBe(202)
  const gold = await runWithKills(started.body.id)
  const agreed = RECORDS - RECORDS / 10
  expect(gold.job).toMatchObject({ status: 'finished', gold: { stored: agreed, undecided: RECORDS / 10, kept: 0, gone: 0 } })

  const { body: questions } = await client().get<{ items: { id: string; name: string }[] }>(`/datasets/${id}/questions`)
  const question = questions.items.find(({ name }) => name === 'label')?.id
  const changes = [{ type: 'rename_label', question_id: question, label: 'yes', value: 'sure', text: 'Sure' }]
  const { body: plan } = await client().post<{ token: string }>(`/datasets/${id}/schema/plan`, { changes })
  const applied = await client().post<{ job: Job }>(`/datasets/${id}/schema/apply`, { token: plan.token })
  expect(applied.status).toBe(202)
  // The search finds old and new labels at every moment.
  expect([await countWith(id, 'sure'), await countWith(id, 'yes')]).toEqual([RECORDS, RECORDS])
  const relabeled = await runWithKills(applied.body.job.id)
  expect(relabeled.job).toMatchObject({
    status: 'finished',
    relabeled: { answers: 2 * RECORDS - RECORDS / 10, gold: agreed, kept: 0 },
  })
  expect([await countWith(id, 'sure'), await countWith(id, 'no')]).toEqual([RECORDS, RECORDS / 10])
  expect(await findDifferences(target.place)).toEqual([])

  const split = {
    type: 'split_label',
    question_id: question,
    label: 'sure',
    into: ['sure1', 'sure2'].map((value) => ({ value, text: value })),
  }
  const { body: splitPlan } = await client().post<{ token: string }>(`/datasets/${id}/schema/plan`, { changes: [split] })
  const again = await client().post<{ job: Job }>(`/datasets/${id}/schema/apply`, { token: splitPlan.token })
  const due = await runWithKills(again.body.job.id)
  expect(due.job).toMatchObject({ status: 'finished', relabeled: { answers: 0, due: 2 * RECORDS - RECORDS / 10, kept: 0 } })
  expect(await countWith(id, 'sure')).toBe(RECORDS)
  expect(await findDifferences(target.place)).toEqual([])
  expect(gold.interrupted + relabeled.interrupted + due.interrupted).toBeGreaterThan(0)
})
