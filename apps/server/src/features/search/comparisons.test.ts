import type { Dataset } from '@postil/contract/datasets.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { Client } from '@postil/testkit/client.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addRecords, must, names, recordStatus, search, text } from './testing/searching.ts'

let server: TestServer
let owner: Client
let dataset: Dataset
let ann: TestUser
let ben: TestUser
let outsider: TestUser
const options = ['a', 'b', 'c'].map((value) => ({ value, text: value }))

beforeAll(async () => {
  server = await bootServer()
  owner = server.clientFor(server.owner)
  dataset = await server.createDataset({
    distribution: { strategy: 'overlap', min_submitted: 2 },
    questions: [
      { name: 'label', required: true, settings: { type: 'label_selection', options } },
      { name: 'tags', settings: { type: 'multi_label_selection', options }, required: false },
      { name: 'why', settings: { type: 'text' }, required: false },
      { name: 'words', settings: { type: 'span', field: 'text', options: options.slice(0, 2) }, required: false },
      { name: 'order', settings: { type: 'ranking', options: options.slice(0, 2) }, required: false },
      { name: 'stars', settings: { type: 'rating', options: [{ value: 1 }, { value: 2 }] }, required: false },
    ],
  })
  const { workspace_id: workspace } = dataset
  ann = await server.createUser({ role: 'annotator', workspaces: [workspace] })
  ben = await server.createUser({ role: 'annotator', workspaces: [workspace] })
  outsider = await server.createUser({ role: 'admin', workspaces: [] })
  const list = must(await owner.get<{ items: { id: string; name: string }[] }>(`/datasets/${dataset.id}/questions`)).items
  const suggestion = (value: unknown, name = 'label', agent?: string) => ({
    question_id: list.find((one) => one.name === name)?.id,
    value,
    ...(agent !== undefined && { agent }),
  })
  const answer = (user: TestUser, label: string, more: object = {}, status = 'submitted') => ({
    user_id: user.id,
    status,
    values: { label: { value: label }, ...more },
  })
  const spans = (...labels: string[]) => ({
    words: { value: labels.map((label, start) => ({ label, start, end: start + 1 })) },
    order: {
      value: [
        { value: 'a', rank: 2 },
        { value: 'b', rank: 1 },
      ],
    },
    stars: { value: 1 },
  })
  const tags = (...value: string[]) => ({ tags: { value } })
  await addRecords(
    owner,
    dataset,
    [
      { external_id: 'same', responses: [answer(ann, 'a'), answer(ben, 'a')], suggestions: [suggestion('a')] },
      { external_id: 'split', responses: [answer(ann, 'a'), answer(ben, 'b')], suggestions: [suggestion('a', 'label', 'm')] },
      {
        external_id: 'order',
        responses: [answer(ann, 'a', tags('b', 'a')), answer(ben, 'a', tags('a', 'b'))],
        suggestions: [suggestion(['a', 'b'], 'tags')],
      },
      {
        external_id: 'words',
        responses: [
          answer(ann, 'a', { why: { value: 'x' } }),
          answer(ben, 'a', { why: { value: 'y' }, ...spans('a', 'b') }, 'submitted'),
        ],
      },
      {
        external_id: 'draft',
        responses: [answer(ann, 'a'), answer(ben, 'b', { ...spans('a'), stars: { value: 2 } }, 'draft')],
        suggestions: [suggestion('b')],
      },
      { external_id: 'none', suggestions: [suggestion('c')] },
    ].map((record, i) => ({ fields: { text: `text ${i}` }, ...record })),
  )
})
afterAll(() => server.close())

const scoped = (scope: object, ...values: string[]) => ({
  filters: { and: [{ type: 'terms', scope: { entity: 'response', ...scope }, values }] },
})
const find = async (body: object): Promise<string[]> => names(await search(owner, dataset, body)).sort()

it('finds records whose submitted answers differ from each other, whatever the question type', async () => {
  const compared_with = 'answers'
  expect(await find(scoped({ compared_with }, 'different'))).toEqual(['split', 'words'])
  expect(await find(scoped({ compared_with }, 'same'))).toEqual(['order', 'same'])
  expect(await find(scoped({ compared_with, question: 'label' }, 'different'))).toEqual(['split'])
  expect(await find(scoped({ compared_with, question: 'why' }, 'different', 'same'))).toEqual(['words'])
  expect(await find(scoped({ compared_with, question: 'tags' }, 'same'))).toEqual(['order'])
})

it('finds records whose answers differ from the suggestion, for everyone or one person', async () => {
  const compared_with = 'suggestion'
  expect(await find(scoped({ compared_with }, 'different'))).toEqual(['draft', 'split'])
  expect(await find(scoped({ compared_with }, 'same'))).toEqual(['order', 'same'])
  expect(await find(scoped({ compared_with, user_id: ann.id }, 'different'))).toEqual(['draft'])
  expect(await find(scoped({ compared_with, user_id: ben.id, question: 'label' }, 'different'))).toEqual(['split'])
})

it('finds the answers of one person, by status and by value', async () => {
  expect(await find(scoped({ property: 'status', user_id: ben.id }, 'submitted'))).toEqual(['order', 'same', 'split', 'words'])
  expect(await find(scoped({ property: 'status', user_id: ben.id }, 'pending'))).toEqual(['none'])
  expect(await find(scoped({ question: 'label', user_id: ben.id }, 'b'))).toEqual(['draft', 'split'])
  expect(await find(scoped({ question: 'label', user_id: ann.id }, 'b'))).toEqual([])
})

it('finds submitted answers only, by value', async () => {
  const answer_status = 'submitted'
  expect(await find(scoped({ question: 'label', answer_status }, 'b'))).toEqual(['split'])
  expect(await find(scoped({ question: 'label', answer_status: 'draft', user_id: ben.id }, 'b'))).toEqual(['draft'])
  expect(await find(scoped({ question: 'label', answer_status, user_id: ann.id }, 'b'))).toEqual([])
  expect(await find(scoped({ question: 'stars', answer_status }, '1'))).toEqual(['words'])
  expect(await find(scoped({ question: 'stars', answer_status: 'draft' }, '1', '2'))).toEqual(['draft'])
})

it('finds answers by the labels of their spans and by the option in first place', async () => {
  const answer_status = 'submitted'
  expect(await find(scoped({ question: 'words', answer_status }, 'a'))).toEqual(['words'])
  expect(await find(scoped({ question: 'words', answer_status, user_id: ann.id }, 'a'))).toEqual([])
  expect(await find(scoped({ question: 'words', answer_status: 'draft' }, 'a'))).toEqual(['draft'])
  expect(await find(scoped({ question: 'order', answer_status }, 'b'))).toEqual(['words'])
  expect(await find(scoped({ question: 'order', answer_status }, 'a'))).toEqual([])
})

it('compares the answers of chosen people, and finds records that only one of them has answered', async () => {
  const compared_with = 'answers'
  const both = { compared_with, question: 'label', user_ids: [ann.id, ben.id] }
  expect(await find(scoped(both, 'same', 'different'))).toEqual(['order', 'same', 'split', 'words'])
  expect(await find(scoped(both, 'different'))).toEqual(['split'])
  expect(await find(scoped(both, 'single'))).toEqual(['draft'])
  expect(await find(scoped({ compared_with, question: 'why', user_ids: [ben.id] }, 'single'))).toEqual(['words'])
  expect(await find(scoped({ compared_with, question: 'label', user_ids: [outsider.id] }, 'single'))).toEqual([])
})

it('finds records by the agent of the suggestion, and those with at least one answer that equals it', async () => {
  const label = { compared_with: 'suggestion', question: 'label' }
  expect(await find(scoped(label, 'any_same'))).toEqual(['same', 'split'])
  expect(await find(scoped({ ...label, agent: 'm' }, 'any_same'))).toEqual(['split'])
  expect(await find(scoped({ ...label, agent: 'm' }, 'different'))).toEqual(['split'])
  expect(await find(scoped({ ...label, agent: '' }, 'any_same', 'different'))).toEqual(['draft', 'same'])
})

it('finds answers by the time of their last change', async () => {
  const within = (more: object, bounds: object) => ({
    filters: { and: [{ type: 'range', scope: { entity: 'response', property: 'updated_at', ...more }, ...bounds }] },
  })
  const all = ['draft', 'order', 'same', 'split', 'words']
  const minute = 60_000
  expect(await find(within({}, { ge: Date.now() - 10 * minute, le: Date.now() + minute }))).toEqual(all)
  expect(await find(within({}, { le: '2001-01-01' }))).toEqual([])
  expect(await find(within({ user_id: ben.id, answer_status: 'draft' }, { ge: '2001-01-01' }))).toEqual(['draft'])
  expect(await find(within({ user_id: ann.id, answer_status: 'draft' }, { ge: '2001-01-01' }))).toEqual([])
})

it('lists completed records to owners, with the number of each record', async () => {
  const found = await search(owner, dataset, { filters: { and: [recordStatus('completed')] } }, { page: '?include=responses' })
  expect(names(found)).toEqual(['same', 'split', 'order', 'words'])
  expect(found.items.map(({ number }) => number)).toEqual([1, 2, 3, 4])
  expect(found.items[1]?.record.responses?.map(({ user_id }) => user_id).sort()).toEqual([ann.id, ben.id].sort())
})

it('finds a record by its number, ID or external ID', async () => {
  const [second] = (await search(owner, dataset, text('id:split'))).items
  for (const q of ['id:2', 'id:#2', 'id:split', `id:${second?.record.id}`]) expect(await find(text(q)), q).toEqual(['split'])
  expect(await find(text('id:999'))).toEqual([])
  // The digits may also be words in the text. Only `id:` searches for a number.
  expect(await find(text('2'))).toEqual(['order'])
})

it('refuses everyone whose answers are not theirs to see, and comparisons that make no sense', async () => {
  const path = `datasets/${dataset.id}/records/search`
  const disagreeing = scoped({ compared_with: 'answers' }, 'different')
  const byBen = scoped({ property: 'status', user_id: ben.id }, 'submitted')
  const status = async (user: TestUser, at: string, body: object) => (await server.clientFor(user).post(at, body)).status
  for (const body of [disagreeing, byBen]) {
    expect(await status(ann, `/${path}`, body)).toBe(403)
    expect(await status(outsider, `/${path}`, body)).toBe(403)
    expect(await status(ann, `/me/${path}`, body)).toBe(422)
  }
  expect(await status(ben, `/me/${path}`, byBen)).toBe(200)
  const sorted = { sort: [{ scope: { entity: 'response', compared_with: 'answers' }, order: 'asc' }] }
  const range = { filters: { and: [{ type: 'range', scope: { entity: 'response', compared_with: 'answers' }, ge: 1 }] } }
  const oneUser = scoped({ compared_with: 'answers', user_id: ben.id }, 'different')
  const unknown = scoped({ compared_with: 'answers', question: 'none' }, 'different')
  const order = { sort: [{ scope: { entity: 'response', question: 'label', answer_status: 'draft' }, order: 'asc' }] }
  const misplaced = [
    scoped({ compared_with: 'suggestion', user_ids: [ben.id] }, 'same'),
    scoped({ compared_with: 'answers', agent: 'm' }, 'same'),
    scoped({ question: 'label', agent: 'm' }, 'a'),
    scoped({ property: 'updated_at' }, '2001-01-01'),
    scoped({ property: 'status', answer_status: 'draft' }, 'draft'),
    scoped({ compared_with: 'answers', user_ids: [] }, 'same'),
  ]
  for (const body of [sorted, range, oneUser, unknown, order, ...misplaced])
    expect(await status(server.owner, `/${path}`, body)).toBe(422)
})
