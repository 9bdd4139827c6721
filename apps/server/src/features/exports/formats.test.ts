import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import { afterAll, beforeAll, expect, it, test } from 'vitest'
import { createFixture, type ExportFixture, lines, NAMES, TEXT } from './testing/fixtures.ts'

let server: TestServer
let fixture: ExportFixture
beforeAll(async () => {
  server = await bootServer()
  fixture = await createFixture(server)
})
afterAll(() => server.close())

const options = (...values: readonly string[]) => values.map((value) => ({ value, text: value }))
const detailOf = async (answer: Response) => ((await answer.json()) as { detail: unknown }).detail

/** A dataset with records that one person has answered. */
const createAnswered = async (
  settings: object,
  records: readonly { readonly fields: object; readonly values?: object; readonly status?: string }[],
) => {
  const { id, workspace_id } = await server.createDataset(settings)
  const { id: user_id, username } = await server.createUser({ workspaces: [workspace_id] })
  const items = records.map(({ fields, values, status = 'submitted' }, i) => ({
    external_id: `r${i}`,
    fields,
    ...(values && { responses: [{ user_id, status, values }] }),
  }))
  const made = await server.clientFor(server.owner).post(`/datasets/${id}/records/bulk`, { items })
  expect(made.status).toBe(201)
  const fetchFile = (query: string) =>
    fetch(`${server.url}/api/v1/datasets/${id}/records/download?${query}`, {
      headers: { 'x-argilla-api-key': server.owner.api_key },
    })
  return { username, fetchFile, rows: async (query: string) => lines(await (await fetchFile(query)).text()) }
}

it('writes tasks of Label Studio with annotations and predictions', async () => {
  const answer = await fixture.fetchFile('format=label_studio')
  expect(answer.headers.get('content-disposition')).toContain('label-studio.json')
  const tasks = JSON.parse(await answer.text()) as { annotations: { result: { type: string; from_name: string }[] }[] }[]
  expect(tasks).toHaveLength(3)
  expect(tasks[0]).toMatchObject({
    id: 'one',
    data: { text: TEXT, talk: [{ role: 'user', content: 'hi' }] },
    meta: { source: ['web', 'book'], size: 12, ratio: 0.25, more: { a: 1 } },
    annotations: [{ annotator: 'ann', was_cancelled: false, ground_truth: false, created_at: expect.stringMatching(/Z$/) }],
    predictions: [{ model_version: 'm', score: 0.75 }],
  })
  expect(tasks[0]?.annotations[0]?.result).toMatchObject([
    { from_name: 'label', to_name: 'text', type: 'choices', value: { choices: ['yes'] } },
    { from_name: 'tags', type: 'choices', value: { choices: ['x', 'z'] } },
    { from_name: 'stars', type: 'rating', value: { rating: 2 } },
    { from_name: 'order', type: 'ranker', value: { ranker: { order: ['q', 'p'] } } },
    { from_name: 'names', type: 'labels', value: { start: 23, end: 29, text: 'London', labels: ['big city'] } },
    { from_name: 'names', type: 'labels', value: { start: 6, end: 18, text: 'Ada Lovelace', labels: ['per'] } },
    { from_name: 'note', type: 'textarea', value: { text: ['fine'] } },
  ])
  expect(tasks[1]).toMatchObject({ annotations: [{ annotator: 'bob', was_cancelled: true, result: [] }] })
  expect(tasks[2]).toMatchObject({ id: '3', annotations: [], predictions: [] })
  const final = JSON.parse(await fixture.text('format=label_studio&shape=final')) as typeof tasks
  expect(final[0]).toMatchObject({ annotations: [{ ground_truth: true }] })
  expect(final[1]?.annotations).toEqual([])
  const refused = await fixture.fetchFile(`format=label_studio&after=${fixture.records[0]?.id}`)
  expect([refused.status, await detailOf(refused)]).toEqual([
    422,
    'A download in the format label_studio cannot be continued. Remove `after`',
  ])
})

it('writes spans in a conversation with the messages that contain them', async () => {
  const talk = [
    { role: 'user', content: '😀 hi Ada' },
    { role: 'assistant', content: 'Hello' },
  ]
  const span = { name: 'who', required: true, settings: { type: 'span', field: 'talk', options: options('per') } }
  const { rows, fetchFile } = await createAnswered(
    { fields: [{ name: 'talk', required: true, settings: { type: 'chat' } }], questions: [span] },
    [{ fields: { talk }, values: { who: { value: [{ label: 'per', start: 5, end: 8 }] } } }],
  )
  const [task] = JSON.parse(await (await fetchFile('format=label_studio')).text()) as {
    annotations: { result: object[] }[]
  }[]
  expect(task?.annotations[0]?.result[0]).toMatchObject({
    type: 'paragraphlabels',
    value: { start: '0', end: '0', startOffset: 5, endOffset: 8, text: 'Ada', paragraphlabels: ['per'] },
  })
  expect(await rows('format=doccano')).toMatchObject([{ text: '😀 hi Ada\nHello', label: [[5, 8, 'per']] }])
})

it('writes doccano files of spans and labels, and records without answers', async () => {
  const spans = lines(await fixture.text('format=doccano&question=names'))
  expect(spans).toMatchObject([
    {
      id: 'one',
      text: TEXT,
      label: NAMES.map(({ start, end, label }) => [start, end, label]),
      Comments: [],
      user: 'ann',
      size: 12,
    },
    { text: '=1+1', label: [] },
    { id: '3', text: 'plain', label: [] },
  ])
  expect(lines(await fixture.text('format=doccano&question=tags&shape=final'))).toMatchObject([{ id: 'one', label: ['x', 'z'] }])
  const refused = await fixture.fetchFile('format=doccano')
  expect(await detailOf(refused)).toContain('Choose the question to export with `question`: `label`')
})

it('writes tasks of Prodigy', async () => {
  const [one, two, three] = lines(await fixture.text('format=prodigy&question=names'))
  expect(one).toMatchObject({
    text: TEXT,
    spans: [
      { start: 23, end: 29, label: 'big city' },
      { start: 6, end: 18, label: 'per' },
    ],
    answer: 'accept',
    meta: { id: 'one', size: 12 },
    _annotator_id: 'ann',
    _session_id: 'ann',
    _timestamp: expect.any(Number),
  })
  expect(two).toMatchObject({ answer: 'ignore', _annotator_id: 'bob' })
  expect(three).not.toHaveProperty('answer')
  expect(lines(await fixture.text('format=prodigy&question=tags'))[0]).toMatchObject({
    options: ['x', 'y', 'z'].map((id) => ({ id, text: id.toUpperCase() })),
    accept: ['x', 'z'],
    config: { choice_style: 'multiple' },
  })
  expect(lines(await fixture.text('format=prodigy&question=note'))[0]).toMatchObject({
    user_input: 'fine',
    field_id: 'user_input',
  })
})

it('writes conversations with the answer as the last reply', async () => {
  expect(lines(await fixture.text('format=openai&question=label'))).toEqual([
    {
      messages: [
        { role: 'user', content: TEXT },
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: 'yes' },
      ],
    },
  ])
  const reply = (question: string) =>
    fixture
      .text(`format=openai&question=${question}`)
      .then((text) => ((lines(text)[0]?.['messages'] ?? []) as { content: string }[]).at(-1)?.content)
  expect(await reply('tags')).toBe('x, z')
  expect(await reply('order')).toBe('q > p')
  expect(JSON.parse((await reply('names')) ?? '')).toContainEqual({ text: 'Ada Lovelace', label: 'per' })
  const talk = [
    { role: 'human', content: 'Hi' },
    { role: 'gpt', content: 'wrong' },
  ]
  const { rows } = await createAnswered(
    {
      fields: [{ name: 'talk', required: true, settings: { type: 'chat' } }],
      questions: [
        { name: 'better', required: true, settings: { type: 'text' } },
        { name: 'safe', settings: { type: 'label_selection', options: options('yes', 'no') } },
      ],
    },
    [{ fields: { talk }, values: { better: { value: 'right' }, safe: { value: 'no' } } }],
  )
  expect(await rows('format=openai&question=better')).toEqual([
    {
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'right' },
      ],
    },
  ])
  expect(await rows('format=openai&question=safe')).toEqual([
    {
      messages: [
        { role: 'user', content: 'user: Hi\n\nassistant: wrong' },
        { role: 'assistant', content: 'no' },
      ],
    },
  ])
  expect(await rows('format=kto')).toEqual([
    { prompt: [{ role: 'user', content: 'Hi' }], completion: [{ role: 'assistant', content: 'wrong' }], label: false },
  ])
})

const text = (name: string) => ({ name, required: name === 'prompt', settings: { type: 'text' } })

it('writes pairs of preferred and other fields, and none for ties', async () => {
  const fields = ['prompt', 'response_a', 'response_b', 'response_c'].map(text)
  const values = { prompt: 'p', response_a: 'a', response_b: 'b', response_c: 'c' }
  const settings = { type: 'label_selection', options: options('A', 'B', 'tie') }
  const chosen = await createAnswered(
    { fields: fields.slice(0, 3), questions: [{ name: 'better', required: true, settings }] },
    ['B', 'tie', 'A'].map((value) => ({
      fields: { prompt: 'p', response_a: 'a', response_b: 'b' },
      values: { better: { value } },
    })),
  )
  expect(await chosen.rows('format=dpo')).toEqual([
    { prompt: 'p', chosen: 'b', rejected: 'a' },
    { prompt: 'p', chosen: 'a', rejected: 'b' },
  ])
  expect((await chosen.rows('format=kto')).slice(0, 2)).toEqual([
    { prompt: 'p', completion: 'b', label: true },
    { prompt: 'p', completion: 'a', label: false },
  ])
  const ranking = { type: 'ranking', options: options('response_a', 'response_b', 'response_c') }
  const rank = (...ranks: readonly number[]) => ['a', 'b', 'c'].map((one, i) => ({ value: `response_${one}`, rank: ranks[i] }))
  const ranked = await createAnswered({ fields, questions: [{ name: 'order', required: true, settings: ranking }] }, [
    { fields: values, values: { order: { value: rank(2, 1, 2) } } },
    { fields: values, values: { order: { value: rank(1, 1, 1) } } },
  ])
  expect(await ranked.rows('format=dpo')).toEqual([
    { prompt: 'p', chosen: 'b', rejected: 'a' },
    { prompt: 'p', chosen: 'b', rejected: 'c' },
  ])
  const asked = ['a', 'a_much', 'tie', 'b', 'b_much']
  const compare = {
    options: { a: 'response_a', a_much: 'response_a', b: 'response_b', b_much: 'response_b' },
    strong: ['a_much', 'b_much'],
    ties: 'tie',
  }
  const comparison = { type: 'label_selection', postil_kind: 'comparison', options: options(...asked), compare }
  const pair = { prompt: 'p', response_a: 'a', response_b: 'b' }
  const comparedTwo = await createAnswered(
    { fields: fields.slice(0, 3), questions: [{ name: 'better', required: true, settings: comparison }] },
    [
      { fields: pair, values: { better: { value: 'a_much' } } },
      { fields: pair, values: { better: { value: 'tie' } } },
      { fields: pair, values: { better: { value: 'b' } } },
    ],
  )
  const single = { n: 1, agreement: 1 }
  expect(await comparedTwo.rows('format=dpo')).toEqual([
    { prompt: 'p', chosen: 'a', rejected: 'b', margin: 2, ...single },
    { prompt: 'p', chosen: 'b', rejected: 'a', margin: 1, ...single },
  ])
  const refused = await fixture.fetchFile('format=dpo')
  expect([refused.status, await detailOf(refused)]).toEqual([
    422,
    'The dataset has no question whose answers the format dpo can hold',
  ])
})

const overlapping = (value: readonly object[]) =>
  createAnswered(
    {
      fields: [{ name: 'text', required: true, settings: { type: 'text' } }],
      questions: [
        {
          name: 'names',
          required: true,
          settings: { type: 'span', field: 'text', options: options('per', 'org'), allow_overlapping: true },
        },
      ],
    },
    [{ fields: { text: 'The Bank of London' }, values: { names: { value } } }],
  )
const bank = { label: 'org', start: 4, end: 18 }
const london = { label: 'per', start: 12, end: 18 }

test('CoNLL is refused only if spans overlap, and otherwise the longest span can win', async () => {
  const flat = await overlapping([london])
  expect((await flat.fetchFile('format=conll')).status).toBe(200)
  const { fetchFile, rows, username } = await overlapping([london, bank])
  const refused = await fetchFile('format=conll')
  expect([refused.status, await detailOf(refused)]).toEqual([
    422,
    `Spans of record r0 by ${username} overlap, and this format allows only one tag per word. Keep only the longest span, or use another format, such as spacy`,
  ])
  const tags = (await (await fetchFile('format=conll&overlaps=longest')).text()).match(/\S+$/gm)
  expect(tags).toEqual(['O', 'O', 'B-org', 'I-org', 'I-org'])
  const printed = [
    [4, 18, 'org'],
    [12, 18, 'per'],
  ]
  expect(await rows('format=spacy')).toEqual([{ text: 'The Bank of London', spans: { sc: printed }, meta: expect.any(Object) }])
  expect(await flat.rows('format=spacy')).toMatchObject([{ entities: [[12, 18, 'per']], spans: { sc: [[12, 18, 'per']] } }])
})
