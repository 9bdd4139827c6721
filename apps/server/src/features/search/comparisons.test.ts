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
    ],
  })
  const { workspace_id: workspace } = dataset
  ann = await server.createUser({ role: 'annotator', workspaces: [workspace] })
  ben = await server.createUser({ role: 'annotator', workspaces: [workspace] })
  outsider = await server.createUser({ role: 'admin', workspaces: [] })
  const list = must(await owner.get<{ items: { id: string; name: string }[] }>(`/datasets/${dataset.id}/questions`)).items
  const suggestion = (value: unknown, name = 'label') => ({ question_id: list.find((one) => one.name === name)?.id, value })
  const answer = (user: TestUser, label: string, more: object = {}, status = 'submitted') => ({
    user_id: user.id,
    status,
    values: { label: { value: label }, ...more },
  })
  const tags = (...value: string[]) => ({ tags: { value } })
  await addRecords(
    owner,
    dataset,
    [
      { external_id: 'same', responses: [answer(ann, 'a'), answer(ben, 'a')], suggestions: [suggestion('a')] },
      { external_id: 'split', responses: [answer(ann, 'a'), answer(ben, 'b')], suggestions: [suggestion('a')] },
      {
        external_id: 'order',
        responses: [answer(ann, 'a', tags('b', 'a')), answer(ben, 'a', tags('a', 'b'))],
        suggestions: [suggestion(['a', 'b'], 'tags')],
      },
      {
        external_id: 'words',
        responses: [answer(ann, 'a', { why: { value: 'x' } }), answer(ben, 'a', { why: { value: 'y' } })],
      },
      { external_id: 'draft', responses: [answer(ann, 'a'), answer(ben, 'b', {}, 'draft')], suggestions: [suggestion('b')] },
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
  // The digits may also be words in the texts. Only `id:` searches for a number.
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
  for (const body of [sorted, range, oneUser, unknown]) expect(await status(server.owner, `/${path}`, body)).toBe(422)
})
