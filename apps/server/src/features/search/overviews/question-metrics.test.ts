import type { Dataset } from '@postil/contract/datasets.ts'
import type { AnswerMetrics, SuggestionMetrics } from '@postil/contract/question-metrics.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { Client } from '@postil/testkit/client.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addRecords, must } from '../testing/searching.ts'

let server: TestServer
let owner: Client
beforeAll(async () => {
  server = await bootServer()
  owner = server.clientFor(server.owner)
})
afterAll(() => server.close())

/** Longer in bytes than an index key can be. */
const LONG = 'ü'.repeat(200)
const labels = ['b', 'a', LONG]
const options = labels.map((value) => ({ value, text: value }))
const questions = [
  { name: 'label', required: true, settings: { type: 'label_selection', options } },
  { name: 'tags', settings: { type: 'multi_label_selection', options } },
  { name: 'stars', settings: { type: 'rating', options: [1, 2, 3].map((value) => ({ value })) } },
  { name: 'note', settings: { type: 'text' } },
] as const
type Name = (typeof questions)[number]['name']

const given = async (workspace?: string): Promise<{ dataset: Dataset; ids: { readonly [N in Name]: string } }> => {
  const dataset = await server.createDataset({ questions, ...(workspace !== undefined && { workspace_id: workspace }) })
  const { items } = must(await owner.get<{ items: { id: string; name: Name }[] }>(`/datasets/${dataset.id}/questions`))
  return { dataset, ids: Object.fromEntries(items.map(({ id, name }) => [name, id])) as { [N in Name]: string } }
}

const suggested = async (id: string, query = '') =>
  must(await owner.get<SuggestionMetrics>(`/questions/${id}/suggestions/metrics${query}`))
const answered = async (user: TestUser, id: string, query = '') =>
  must(await server.clientFor(user).get<AnswerMetrics>(`/me/questions/${id}/responses/metrics${query}`)).values

type Stored = {
  readonly suggestions: readonly {
    readonly question_id: string
    readonly value: unknown
    readonly agent: string | null
    readonly score: number | readonly number[] | null
  }[]
  readonly responses: readonly {
    readonly user_id: string
    readonly status: string
    readonly values: { readonly [name: string]: { readonly value: unknown } }
  }[]
}
const recordsOf = async ({ id }: Dataset) =>
  must(await owner.get<{ items: Stored[] }>(`/datasets/${id}/records?limit=1000&include=responses,suggestions`)).items

/** Counts the values directly from the records. */
const tally = (values: readonly unknown[]) => {
  const counts = new Map<unknown, number>()
  for (const value of values.flat()) counts.set(value, (counts.get(value) ?? 0) + 1)
  const before = (a: unknown, b: unknown) => ((a as string) < (b as string) ? -1 : 1)
  return [...counts].map(([value, count]) => ({ value, count })).sort((a, b) => b.count - a.count || before(a.value, b.value))
}

const recount = async (dataset: Dataset, ids: { readonly [N in Name]: string }) => {
  const records = await recordsOf(dataset)
  for (const name of ['label', 'tags', 'stars'] as const) {
    const all = records.flatMap(({ suggestions }) => suggestions.filter(({ question_id }) => question_id === ids[name]))
    const { values, agents, scores } = await suggested(ids[name])
    expect(values).toEqual(tally(all.map(({ value }) => value)))
    expect(agents).toEqual(tally(all.flatMap(({ agent }) => agent ?? [])))
    const bins = all.map(({ score }) => [...new Set([score ?? []].flat().map((one) => Math.min(19, Math.floor(one * 20))))])
    expect(scores.map(({ count }) => count)).toEqual(
      bins.flat().length === 0 ? [] : Array.from({ length: 20 }, (_, bin) => bins.filter((of) => of.includes(bin)).length),
    )
  }
  return records
}

describe('suggestion metrics', () => {
  it('count by value, agent and score, and follow every change', async () => {
    const { dataset, ids } = await given()
    expect(await suggested(ids.label)).toEqual({ values: [], agents: [], scores: [] })
    const items = Array.from({ length: 30 }, (_, i) => ({
      fields: { text: 'x' },
      suggestions: [
        { question_id: ids.label, value: labels[i % 3], agent: ['one', 'two', null][i % 3], score: [0, 1, 0.55, 0.99][i % 4] },
        ...(i % 2 === 0
          ? [{ question_id: ids.tags, value: ['a', 'b'], agent: 'three', score: [0.91, [0.92, 0.1][i % 4 === 0 ? 0 : 1]] }]
          : []),
        ...(i % 5 === 0 ? [] : [{ question_id: ids.stars, value: 1 + (i % 3) }]),
        { question_id: ids.note, value: 'words', agent: 'writer', score: 0.5 },
      ],
    }))
    const [first, second] = await addRecords(owner, dataset, items)
    await recount(dataset, ids)
    expect((await suggested(ids.label)).values).toEqual([
      { value: 'a', count: 10 },
      { value: 'b', count: 10 },
      { value: LONG, count: 10 },
    ])
    const note = await suggested(ids.note, '?bins=2')
    expect(note).toEqual({
      values: [],
      agents: [{ value: 'writer', count: 30 }],
      scores: [
        { from: 0, to: 0.5, count: 0 },
        { from: 0.5, to: 1, count: 30 },
      ],
    })
    must(await owner.put(`/records/${first}/suggestions`, { question_id: ids.label, value: 'a', agent: 'four', score: 0.3 }))
    await recount(dataset, ids)
    must(await owner.delete(`/records/${second}`))
    expect(await recount(dataset, ids)).toHaveLength(29)
  })

  it('cover one dataset at a time, and are limited to its members', async () => {
    const one = await given()
    const other = await given()
    await addRecords(owner, one.dataset, [{ fields: { text: 'x' }, suggestions: [{ question_id: one.ids.label, value: 'a' }] }])
    expect((await suggested(one.ids.label)).values).toEqual([{ value: 'a', count: 1 }])
    expect((await suggested(other.ids.label)).values).toEqual([])
    const stranger = await server.createUser({ role: 'admin' })
    for (const path of [`/questions/${one.ids.label}/suggestions/metrics`, `/me/questions/${one.ids.label}/responses/metrics`]) {
      expect((await server.clientFor(stranger).get(path)).status).toBe(403)
      expect((await server.clientFor(null).get(path)).status).toBe(401)
    }
    must(await owner.delete(`/datasets/${one.dataset.id}`))
    expect((await owner.get(`/questions/${one.ids.label}/suggestions/metrics`)).status).toBe(404)
  })

  it.each(['bins=0', 'bins=101', 'bins=many'])('limit the number of bins, rejecting %s', async (query) => {
    const { ids } = await given()
    expect((await owner.get(`/questions/${ids.label}/suggestions/metrics?${query}`)).status).toBe(422)
    expect((await owner.get(`/me/questions/${ids.label}/responses/metrics?status=pending`)).status).toBe(422)
  })
})

describe('metrics of one’s own answers', () => {
  it('count by value and status without other users’ answers, and follow every change', async () => {
    const workspace = (await server.createWorkspace()).id
    const { dataset, ids } = await given(workspace)
    const [ann, bob] = [
      await server.createUser({ workspaces: [workspace] }),
      await server.createUser({ workspaces: [workspace] }),
    ]
    const records = await addRecords(
      owner,
      dataset,
      Array.from({ length: 12 }, () => ({ fields: { text: 'x' } })),
    )
    const statuses = ['submitted', 'draft', 'discarded'] as const
    const answer = (user: TestUser, i: number, status: string) =>
      server.clientFor(user).post<{ id: string }>(`/records/${records[i]}/responses`, {
        status,
        values: {
          label: { value: labels[i % 3] },
          ...(i % 2 === 0 && { tags: { value: labels.slice(0, 1 + (i % 3)) } }),
          ...(i % 4 !== 0 && { stars: { value: 1 + (i % 3) } }),
          note: { value: 'words' },
        },
      })
    const ownIds: string[] = []
    for (let i = 0; i < 12; i += 1) ownIds.push(must(await answer(ann, i, statuses[Math.floor(i / 4)] ?? 'draft')).id)
    for (let i = 0; i < 5; i += 1) must(await answer(bob, i, 'submitted'))
    const recountAnswers = async () => {
      const stored = (await recordsOf(dataset)).flatMap(({ responses }) => responses)
      for (const user of [ann, bob]) {
        for (const status of [null, ...statuses]) {
          const own = stored.filter((one) => one.user_id === user.id && (status === null || one.status === status))
          for (const name of ['label', 'tags', 'stars'] as const) {
            const values = own.flatMap((one) => one.values[name]?.value ?? [])
            expect(await answered(user, ids[name], status === null ? '' : `?status=${status}`)).toEqual(tally(values))
          }
        }
      }
    }
    await recountAnswers()
    expect(await answered(ann, ids.note)).toEqual([])
    expect(await answered(server.owner, ids.label)).toEqual([])
    must(await server.clientFor(ann).put(`/responses/${ownIds[0]}`, { status: 'draft', values: { label: { value: 'a' } } }))
    must(await server.clientFor(ann).delete(`/responses/${ownIds[1]}`))
    must(await owner.delete(`/records/${records[2]}`))
    await recountAnswers()
  })
})
