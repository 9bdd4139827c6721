import type { DatasetProgress } from '@postil/contract/progress.ts'
import type { QueueResult } from '@postil/contract/queue.ts'
import type { Record as RecordPayload } from '@postil/contract/records.ts'
import type { Response } from '@postil/contract/responses.ts'
import type { ReviewSettingsInput } from '@postil/contract/review.ts'
import type { TestResults } from '@postil/contract/test-items.ts'
import type { TestServer } from '@postil/testkit/boot.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { must } from '#features/queue/testing/team.ts'
import { createReviewTeam, valuesOf } from './review-team.ts'

export const checks = { every: 3, stop_below: 0.5 }

/**
 * Creates a dataset in which Cyd hasn't answered any record.
 * @param decided number of completed records. Their final answer is `yes`
 * @param open number of pending records
 */
export const createCheckedTeam = async (
  server: TestServer,
  decided: number,
  open: number,
  settings: Partial<ReviewSettingsInput> = {},
) => {
  const team = await createReviewTeam(server, decided + open, { mode: 'all', checks, ...settings })
  for (let i = 0; i < decided; i += 1) {
    await team.answers(i, 'yes', 'yes')
    must(await team.put(i))
  }
  const { cyd } = team
  const mine = (id: string, body: object) =>
    team.as(cyd).put<Response>(`/records/${id}/responses/mine`, {
      mutation_id: crypto.randomUUID(),
      base_version: null,
      status: 'submitted',
      values: valuesOf('yes'),
      ...body,
    })
  return {
    ...team,
    decided,
    mine,
    /** Requests records from the queue as a user. `kinds` contains `test` for each test item and `open` for each other record. */
    queue: async (body: object = {}, user: TestUser = cyd) => {
      const result = must(
        await team.as(user).post<QueueResult>(`/me${team.path}/queue`, { limit: 1, drafts: true, purpose: 'work', ...body }),
      )
      const isTest = ({ record }: QueueResult['items'][number]) => team.ids.indexOf(record.id) < decided
      return { ...result, kinds: result.items.map((item) => (isTest(item) ? 'test' : 'open')) }
    },
    results: async () => must(await team.owner.get<TestResults>(`${team.path}/checks`)),
    progress: async () => must(await team.owner.get<DatasetProgress>(`${team.path}/progress`)),
    record: async (id: string, user: TestUser = cyd) => must(await team.as(user).get<RecordPayload>(`/records/${id}`)),
  }
}
export type CheckedTeam = Awaited<ReturnType<typeof createCheckedTeam>>

/** Gets records from the queue one by one and answers each of them. @returns `test` or `open` for each record */
export const work = async (team: CheckedTeam, count: number, answerToTests = 'yes') => {
  const kinds: string[] = []
  while (kinds.length < count) {
    const { items, kinds: found } = await team.queue()
    const [item] = items
    if (item === undefined) break
    kinds.push(found[0]!)
    must(await team.mine(item.record.id, { values: valuesOf(found[0] === 'test' ? answerToTests : 'no') }))
  }
  return kinds
}
