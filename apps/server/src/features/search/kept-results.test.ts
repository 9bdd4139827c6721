import type { Dataset } from '@postil/contract/datasets.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { Client } from '@postil/testkit/client.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addRecords, must, recordStatus, search } from './testing/searching.ts'

const COUNT = 320
/** More changes by one user than the store keeps. */
const MANY_CHANGES = 300
/** More records than a change can list. */
const MANY_RECORDS = 150

type Value = 'a' | 'b'
type Answer = { readonly status: 'submitted' | 'draft'; readonly value: Value }
type Known = {
  readonly id: string
  readonly suggestion: Value
  ann: Answer | null
  ben: Answer | null
  final: Value | null
  /** The version of the final answer. */
  version: number | null
  /** Whether an answer has changed since the final answer was given. */
  stale: boolean
}
type Name = 'ann' | 'ben'

const submitted = ({ ann, ben }: Known): readonly Value[] =>
  [ann, ben].flatMap((answer) => (answer?.status === 'submitted' ? [answer.value] : []))
const given = ({ ann, ben }: Known): readonly Answer[] => [ann, ben].filter((answer) => answer !== null)

const terms = (scope: object, ...values: string[]) => ({ type: 'terms', scope, values })
const answerStatus = { entity: 'response', property: 'status' }
const answers = { entity: 'response', question: 'label' }
const review = { entity: 'record', property: 'review' }

type Condition = readonly [filter: object, holds: (record: Known) => boolean]

/** Conditions of each kind that answers can change. */
const conditions = (annId: string): readonly Condition[] => [
  [recordStatus('completed'), (one) => submitted(one).length === 2],
  [recordStatus('pending'), (one) => submitted(one).length < 2],
  [terms(answerStatus, 'submitted'), (one) => submitted(one).length > 0],
  [terms(answerStatus, 'pending'), (one) => given(one).length === 0],
  [terms({ ...answerStatus, user_id: annId }, 'pending', 'draft'), ({ ann }) => ann?.status !== 'submitted'],
  [terms(answers, 'b'), (one) => given(one).some(({ value }) => value === 'b')],
  [
    terms({ ...answers, answer_status: 'submitted', user_id: annId }, 'b'),
    ({ ann }) => ann?.status === 'submitted' && ann.value === 'b',
  ],
  [terms({ ...answers, compared_with: 'answers' }, 'different'), (one) => new Set(submitted(one)).size === 2],
  [terms({ ...answers, compared_with: 'answers' }, 'single'), (one) => submitted(one).length === 1],
  [terms({ ...answers, compared_with: 'suggestion' }, 'any_same'), (one) => submitted(one).includes(one.suggestion)],
  [terms(review, 'none'), ({ final }) => final === null],
  [terms(review, 'final'), ({ final, stale }) => final !== null && !stale],
  [terms(review, 'stale'), ({ stale }) => stale],
  [terms({ entity: 'record', property: 'final_answer', question: 'label' }, 'b'), ({ final, stale }) => final === 'b' && !stale],
  [
    { type: 'range', scope: { entity: 'record', property: 'agreement', question: 'label' }, le: 0.5 },
    (one) => new Set(submitted(one)).size === 2,
  ],
  [{ type: 'range', scope: { entity: 'response', property: 'updated_at' }, ge: 1 }, (one) => given(one).length > 0],
]

let server: TestServer
let owner: Client
let dataset: Dataset
let questionId: string
let people: { readonly [N in Name]: TestUser }
const known: Known[] = []

const add = async (count: number): Promise<void> => {
  const suggestions = Array.from({ length: count }, (_, i): Value => (i % 2 === 0 ? 'a' : 'b'))
  const items = suggestions.map((value, i) => ({
    fields: { text: `text ${i}` },
    suggestions: [{ question_id: questionId, value }],
  }))
  const ids = await addRecords(owner, dataset, items)
  known.push(
    ...ids.map(
      (id, i): Known => ({
        id,
        suggestion: suggestions[i] ?? 'a',
        ann: null,
        ben: null,
        final: null,
        version: null,
        stale: false,
      }),
    ),
  )
}

beforeAll(async () => {
  server = await bootServer()
  owner = server.clientFor(server.owner)
  const options = ['a', 'b'].map((value) => ({ value, text: value }))
  dataset = await server.createDataset({
    distribution: { strategy: 'overlap', min_submitted: 2 },
    questions: [{ name: 'label', required: true, settings: { type: 'label_selection', options } }],
  })
  const newUser = () => server.createUser({ role: 'annotator', workspaces: [dataset.workspace_id] })
  people = { ann: await newUser(), ben: await newUser() }
  const { items } = must(await owner.get<{ items: { id: string }[] }>(`/datasets/${dataset.id}/questions`))
  questionId = items[0]?.id ?? ''
  await add(COUNT)
})
afterAll(() => server.close())

const checkAll = async (): Promise<void> => {
  for (const [filter, holds] of conditions(people.ann.id)) {
    const { items } = await search(owner, dataset, { filters: { and: [filter] } }, { page: '?limit=1000' })
    const expected = known.filter(holds).map(({ id }) => id)
    expect(
      items.map(({ record }) => record.id),
      JSON.stringify(filter),
    ).toEqual(expected)
  }
}

/**
 * Answers records as a person, with one request per record. With `atOnce`, the owner sends all of the person's answers in one
 * request.
 */
const answer = async (name: Name, places: readonly number[], next: Answer, { atOnce = false } = {}): Promise<void> => {
  const client = server.clientFor(people[name])
  const records = places.map((i) => known[i]).filter((record) => record !== undefined)
  const content = { status: next.status, values: { label: { value: next.value } } }
  if (atOnce) {
    const responses = [{ user_id: people[name].id, ...content }]
    must(await owner.put(`/datasets/${dataset.id}/records/bulk`, { items: records.map(({ id }) => ({ id, responses })) }))
  } else {
    for (const { id } of records) must(await client.post('/me/responses/bulk', { items: [{ record_id: id, ...content }] }))
  }
  for (const record of records) {
    const before = record[name]
    if (record.final !== null && before?.status === 'submitted' && (next.status !== 'submitted' || next.value !== before.value))
      record.stale = true
    record[name] = next
  }
}

const finish = async (i: number, value: Value): Promise<void> => {
  const record = known[i]
  if (record === undefined) throw new Error(`there is no record ${i}`)
  const values = { label: { value, source: 'adjudicated' } }
  const body = { mutation_id: crypto.randomUUID(), base_version: record.version, values }
  must(await owner.put(`/records/${record.id}/gold`, body))
  record.final = value
  record.version = (record.version ?? 0) + 1
  record.stale = false
}

/** Removes an answer. */
const remove = async (name: Name, i: number): Promise<void> => {
  const record = known[i]
  if (record === undefined) throw new Error(`there is no record ${i}`)
  const { responses = [] } = must(await owner.get<{ responses?: { id: string; user_id: string }[] }>(`/records/${record.id}`))
  must(await owner.delete(`/responses/${responses.find(({ user_id }) => user_id === people[name].id)?.id}`))
  record[name] = null
  if (record.final !== null) record.stale = true
}

const range = (from: number, to: number): readonly number[] => Array.from({ length: to - from }, (_, i) => from + i)

it('searches over everyone’s answers keep their results and follow every change', async () => {
  await checkAll()
  await answer('ann', [0, 1, 2, 3], { status: 'submitted', value: 'a' })
  await answer('ben', [1, 2], { status: 'submitted', value: 'b' })
  await checkAll()
  await finish(1, 'b')
  await finish(3, 'a')
  await answer('ann', [2, 4], { status: 'draft', value: 'b' })
  await checkAll()
  await answer('ann', [1, 3], { status: 'submitted', value: 'b' })
  await checkAll()
  await finish(1, 'b')
  await remove('ann', 1)
  await checkAll()
})

it('follows more changes than the store keeps, and changes of more records than it lists', async () => {
  await answer('ben', range(5, 5 + MANY_CHANGES), { status: 'submitted', value: 'a' })
  await checkAll()
  await answer('ann', range(5, 5 + MANY_RECORDS), { status: 'submitted', value: 'b' }, { atOnce: true })
  await checkAll()
})

it('includes new records, and answers that arrive with them', async () => {
  await add(3)
  await checkAll()
  await answer('ann', [known.length - 1], { status: 'submitted', value: 'b' })
  await checkAll()
})

it('keeps orders that answers can change until the next change', async () => {
  // Smaller results are sorted without a kept order.
  while (known.length < 2100) await add(500)
  const status = { entity: 'record', property: 'status' }
  const agreement = { entity: 'record', property: 'agreement', question: 'label' }
  const isCompleted = (one: Known) => submitted(one).length === 2
  /** Records that nobody or only one person has answered come last. */
  const disagreement = (one: Known): number => (isCompleted(one) ? 2 - new Set(submitted(one)).size : 2)
  const orders: readonly (readonly [sort: object, rank: (one: Known) => number])[] = [
    [{ scope: status, order: 'asc' }, (one) => (isCompleted(one) ? 0 : 1)],
    [{ scope: status, order: 'desc' }, (one) => (isCompleted(one) ? 1 : 0)],
    [{ scope: agreement, order: 'asc' }, disagreement],
  ]
  const check = async () => {
    for (const [sort, rank] of orders) {
      const expected = known.toSorted((a, b) => rank(a) - rank(b)).map(({ id }) => id)
      for (const offset of [0, 100, known.length - 1100, known.length - 50]) {
        const { items, total } = await search(owner, dataset, { sort: [sort] }, { page: `?offset=${offset}&limit=100` })
        expect(total).toBe(known.length)
        expect(
          items.map(({ record }) => record.id),
          `${JSON.stringify(sort)} from ${offset}`,
        ).toEqual(expected.slice(offset, offset + 100))
      }
    }
  }
  await check()
  await answer('ann', [1000, 2000], { status: 'submitted', value: 'a' })
  await answer('ben', [1000], { status: 'submitted', value: 'b' })
  await answer('ben', [2000], { status: 'submitted', value: 'a' })
  await check()
})
