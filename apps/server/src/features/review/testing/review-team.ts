import type { Gold } from '@postil/contract/gold.ts'
import type { Comparison, GoldInput, ReviewQueueResult, ReviewSettingsInput } from '@postil/contract/review.ts'
import type { TestServer } from '@postil/testkit/boot.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { expect } from 'vitest'
import { must } from '#features/queue/testing/team.ts'

const label = {
  name: 'label',
  required: true,
  settings: { type: 'label_selection', options: ['yes', 'no'].map((value) => ({ value, text: value })) },
}
const note = { name: 'note', settings: { type: 'text' } }
export const valuesOf = (value: string) => ({ label: { value } })

/** A dataset that two people annotate, with a third person who reviews. */
export const createReviewTeam = async (
  server: TestServer,
  count: number,
  settings: ReviewSettingsInput = { mode: 'disagreements' },
) => {
  const { id: dataset, workspace_id } = await server.createDataset({
    distribution: { strategy: 'overlap', min_submitted: 2 },
    questions: [label, note],
  })
  const newUser = () => server.createUser({ workspaces: [workspace_id] })
  const [ann, bob, cyd] = [await newUser(), await newUser(), await newUser()]
  const owner = server.clientFor(server.owner)
  const items = Array.from({ length: count }, (_, i) => ({ fields: { text: `text ${i}` } }))
  const made = must(await owner.post<{ items: { id: string }[] }>(`/datasets/${dataset}/records/bulk`, { items }))
  const ids = made.items.map(({ id }) => id)
  const as = (user: TestUser) => server.clientFor(user)
  const path = `/datasets/${dataset}`
  must(await owner.put(`${path}/review-settings`, settings))
  const answer = (user: TestUser, i: number, value: string, status = 'submitted') =>
    as(user).post<{ id: string }>(`/records/${ids[i]}/responses`, { status, values: valuesOf(value) })
  return {
    dataset,
    path,
    workspace_id,
    owner,
    ids,
    ann,
    bob,
    cyd,
    as,
    answer: async (...args: Parameters<typeof answer>) => must(await answer(...args)),
    /** Ann and Bob answer a record. */
    answers: async (i: number, a: string, b: string) => [must(await answer(ann, i, a)), must(await answer(bob, i, b))] as const,
    take: async (user: TestUser = server.owner as TestUser, body: object = {}) =>
      must(await as(user).post<ReviewQueueResult>(`/me${path}/review-queue`, { limit: 10, ...body })),
    compare: async (i: number, user: TestUser = server.owner as TestUser) =>
      must(await as(user).get<Comparison>(`/records/${ids[i]}/comparison`)),
    put: (i: number, body: Partial<GoldInput> = {}, user: TestUser = server.owner as TestUser) =>
      as(user).put<Gold>(`/records/${ids[i]}/gold`, {
        mutation_id: crypto.randomUUID(),
        base_version: null,
        values: { label: { value: 'yes', source: 'adjudicated' } },
        ...body,
      }),
    found: async (...values: string[]) => {
      const filters = { and: [{ type: 'terms', scope: { entity: 'record', property: 'review' }, values }] }
      const result = must(
        await owner.post<{ items: { record: { id: string } }[]; total: number }>(`${path}/records/search?limit=1000`, {
          filters,
        }),
      )
      expect(result.total).toBe(result.items.length)
      return result.items.map(({ record }) => ids.indexOf(record.id)).sort((a, b) => a - b)
    },
  }
}
export type ReviewTeam = Awaited<ReturnType<typeof createReviewTeam>>
