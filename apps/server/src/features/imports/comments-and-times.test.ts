import type { Comment } from '@postil/contract/comments.ts'
import type { Job } from '@postil/contract/jobs.ts'
import type { Record as WireRecord } from '@postil/contract/records.ts'
import type { DatasetSpec } from '@postil/testkit/factories.ts'
import { expect, it } from 'vitest'
import { importer, same, setUpImports } from './testing/fixtures.ts'

const fixture = setUpImports()
const options = (...values: readonly string[]) => values.map((value) => ({ value, text: value }))
const spec: DatasetSpec = {
  fields: [{ name: 'text', required: true, settings: { type: 'text' } }],
  questions: [{ name: 'mood', required: true, settings: { type: 'label_selection', options: options('good', 'bad') } }],
}

const NAMES = ['ann', 'ben', 'eve'] as const
const setUp = async (of: DatasetSpec = spec) => {
  const { server } = fixture
  const dataset = await server.createDataset(of)
  const users = await Promise.all(
    NAMES.map((name) => server.createUser({ username: `${name}-${dataset.id.slice(-8)}`, workspaces: [dataset.workspace_id] })),
  )
  const client = server.clientFor(server.owner)
  const nameOf = (id: string) => NAMES[users.findIndex((user) => user.id === id)] ?? 'another user'
  const { upload, start, finish, job, ...rest } = importer(server, dataset)
  const run = async (name: string, content: string | Uint8Array, mapping: object): Promise<NonNullable<Job['import']>> => {
    const { id } = (await upload(name, content)).body
    const started = await start(id, mapping)
    expect([started.status, started.body.detail]).toEqual([202, undefined])
    await finish()
    return (await job(started.body.id)).import as NonNullable<Job['import']>
  }
  const records = async () =>
    (await client.get<{ items: WireRecord[] }>(`/datasets/${dataset.id}/records?include=responses&limit=100`)).body.items
  const comments = async ({ id }: WireRecord) => (await client.get<{ items: Comment[] }>(`/records/${id}/comments`)).body.items
  return { ...rest, dataset, users, client, nameOf, upload, run, records, comments }
}

const email = (name: string) => ({ email: `${name}@example.org` })
const mood = (value: string) => ({ from_name: 'mood', to_name: 'text', type: 'choices', value: { choices: [value] } })
const remark = (id: number, author: string, text: string, more: object = {}) => ({
  id,
  text,
  created_by: email(author),
  created_at: `2024-03-0${id}T10:00:00.000001Z`,
  ...more,
})
const tasks = [
  {
    id: 1,
    data: { text: 'One' },
    comment_count: 3,
    comments: [remark(1, 'ann', 'Is this @ben irony?', { is_resolved: true, resolved_at: '2024-03-05T10:00:00Z' })],
    annotations: [
      {
        completed_by: email('ann'),
        result: [mood('good')],
        created_at: '2024-03-01T12:00:00.123456+02:00',
        updated_at: '2024-03-02T12:00:00Z',
        lead_time: 4.5,
        comments: [remark(1, 'ann', 'Is this @ben irony?'), remark(2, 'eve', 'I skip this'), remark(3, 'ben', 'Yes')],
      },
      { completed_by: email('zoe'), result: [mood('bad')], created_at: '2999-01-01T00:00:00Z' },
    ],
  },
  { id: 2, data: { text: 'Two' }, comments: [remark(4, 'zoe', 'Nobody knows me')], annotations: [] },
]

const mappingFor = (users: readonly { readonly id: string }[], names: readonly (string | null)[]) => ({
  fields: same('text'),
  suggestions: same('mood'),
  external_id: 'id',
  annotators: names.flatMap((name, i) => (name === null ? [] : [{ name, as: 'answers', user_id: users[i]?.id }])),
})

it('stores comments, and answers with the times of their annotations, exactly once', async () => {
  const { run, users, records, comments, nameOf, client, upload } = await setUp()
  const content = JSON.stringify(tasks)
  const { contents } = (await upload('project.json', content)).body
  expect(contents?.annotations).toEqual([
    { name: 'ann@example.org', annotations: 1, comments: 1 },
    { name: 'zoe@example.org', annotations: 1, comments: 1 },
    { name: 'eve@example.org', annotations: 0, comments: 1 },
    { name: 'ben@example.org', annotations: 0, comments: 1 },
  ])
  expect([contents?.annotators, contents?.left_out]).toEqual([
    2,
    expect.arrayContaining([
      { part: 'comments', reason: 'unmapped', rows: 2 },
      { part: 'annotations: times', reason: 'unmapped', rows: 1 },
      { part: 'annotations: lead_time', reason: 'technical', rows: 1 },
    ]),
  ])
  const people = mappingFor(users, ['ann@example.org', 'ben@example.org'])
  const mapping = { ...people, annotators: [...people.annotators, { name: 'eve@example.org', as: 'nothing' }] }
  for (const again of [false, true]) {
    const counts = await run('project.json', content, mapping)
    expect(counts).toMatchObject({
      answers: { stored: again ? 0 : 1, kept: again ? 1 : 0, unmapped: 1 },
      comments: { stored: again ? 0 : 2, kept: again ? 2 : 0, invalid: 0, left_out: 2 },
    })
    expect(counts.answers?.unmapped_annotators).toEqual([{ name: 'zoe@example.org', annotations: 1, comments: 1 }])
    const [one, two] = await records()
    if (one === undefined || two === undefined) throw new Error('a record is missing')
    expect(one.responses?.map((answer) => [nameOf(answer.user_id), answer.inserted_at, answer.updated_at])).toEqual([
      ['ann', '2024-03-01T10:00:00.123456', '2024-03-02T12:00:00'],
    ])
    expect(
      (await comments(one)).map(({ by, text, inserted_at, resolved, mentions }) => [
        nameOf(by.id),
        text,
        inserted_at,
        resolved?.at ?? null,
        mentions.length,
      ]),
    ).toEqual([
      ['ann', 'Is this @ben irony?', '2024-03-01T10:00:00.000001', '2024-03-05T10:00:00', 0],
      ['ben', 'Yes', '2024-03-03T10:00:00.000001', null, 0],
    ])
    expect(await comments(two)).toEqual([])
  }
  const [one] = await records()
  const insights = await client.get<{ days: { day: string; submitted: number }[] }>(
    `/datasets/${one?.dataset_id}/insights?time_zone=UTC`,
  )
  expect(JSON.stringify(insights.body)).toContain('2024-03-02')
})

it('names people whom the mapping lacks, and imports their annotations when the file is imported again', async () => {
  const { run, users, records, comments, nameOf } = await setUp()
  const content = JSON.stringify(tasks)
  const first = await run('project.json', content, mappingFor(users, ['ann@example.org']))
  expect(first.answers?.unmapped_annotators).toEqual([
    { name: 'zoe@example.org', annotations: 1, comments: 1 },
    { name: 'eve@example.org', annotations: 0, comments: 1 },
    { name: 'ben@example.org', annotations: 0, comments: 1 },
  ])
  const before = Date.now()
  const mapping = mappingFor(users, ['ann@example.org', 'zoe@example.org'])
  expect(await run('project.json', content, mapping)).toMatchObject({
    created: 0,
    updated: 2,
    answers: { stored: 1, kept: 1, unmapped: 0 },
    comments: { stored: 1, kept: 1 },
  })
  const [one, two] = await records()
  if (one === undefined || two === undefined) throw new Error('a record is missing')
  expect(one.responses?.map((answer) => nameOf(answer.user_id)).toSorted()).toEqual(['ann', 'ben'])
  expect((await comments(two)).map(({ by, text }) => [nameOf(by.id), text])).toEqual([['ben', 'Nobody knows me']])
  // A time in the future can't be true
  const late = one.responses?.find((answer) => nameOf(answer.user_id) === 'ben')
  expect(Date.parse(`${late?.inserted_at}Z`)).toBeGreaterThanOrEqual(before - 1000)
})

it('reads comments of doccano, and reports those that are too long', async () => {
  const { run, users, records, comments, upload, nameOf } = await setUp()
  const rows = [
    { id: 1, text: 'One', label: ['good'], Comments: ['First', 'Second', 'First', ' '] },
    { id: 2, text: 'Two', label: ['bad'], Comments: ['x'.repeat(4001)] },
    { id: 3, text: 'Three', label: ['bad'], Comments: [] },
  ]
  const content = rows.map((row) => `${JSON.stringify(row)}\n`).join('')
  const file = (await upload('all.jsonl', content)).body
  expect([file.recognized, file.contents?.annotations, file.contents?.left_out]).toEqual([
    'doccano',
    [{ name: '', annotations: 3, comments: 4 }],
    [{ part: 'comments', reason: 'unmapped', rows: 2 }],
  ])
  const mapping = { fields: same('text'), suggestions: [{ source: 'label', target: 'mood' }], external_id: 'id' }
  expect((await run('all.jsonl', content, mapping)).comments).toEqual({ stored: 0, kept: 0, invalid: 0, left_out: 4 })
  const annotators = [{ name: '', as: 'answers', user_id: users[0]?.id }]
  expect((await run('all.jsonl', content, { ...mapping, annotators })).comments).toEqual({
    stored: 2,
    kept: 1,
    invalid: 1,
    left_out: 0,
  })
  const [one] = await records()
  if (one === undefined) throw new Error('a record is missing')
  expect((await comments(one)).map(({ by, text }) => [nameOf(by.id), text])).toEqual([
    ['ann', 'First'],
    ['ann', 'Second'],
  ])
})

it('keeps threads, and times of answers, of a download', async () => {
  const { users, client, dataset, records, comments, nameOf } = await setUp()
  const [ann] = users
  const { server } = fixture
  await client.put(`/datasets/${dataset.id}/records/bulk`, {
    items: [
      {
        external_id: 'r1',
        fields: { text: 'One' },
        responses: [{ user_id: ann?.id, status: 'submitted', values: { mood: { value: 'good' } } }],
      },
    ],
  })
  const [record] = await records()
  if (record === undefined || ann === undefined) throw new Error('the record is missing')
  const first = (
    await server.clientFor(ann).post<Comment>(`/records/${record.id}/comments`, { text: 'Why?', about: { question: 'mood' } })
  ).body
  await client.post(`/records/${record.id}/comments`, { text: 'Because', parent: first.id })
  const download = async (shape: string): Promise<Uint8Array> => {
    const answer = await fetch(`${server.url}/api/v1/datasets/${dataset.id}/records/download?format=jsonl&shape=${shape}`, {
      headers: { 'x-argilla-api-key': server.owner.api_key },
    })
    return new Uint8Array(await answer.arrayBuffer())
  }
  const copy = await setUp()
  const mapping = { fields: same('text'), suggestions: [], external_id: 'id' }
  const annotators = [{ name: ann.username, as: 'answers', user_id: copy.users[0]?.id }]
  const counts = await copy.run('copy.jsonl', await download('wide'), { ...mapping, annotators })
  expect(counts.comments).toEqual({ stored: 1, kept: 0, invalid: 0, left_out: 1 })
  const owner = [...annotators, { name: server.owner.username, as: 'answers', user_id: server.owner.id }]
  const again = await copy.run('copy.jsonl', await download('wide'), { ...mapping, annotators: owner })
  expect(again.comments).toEqual({ stored: 1, kept: 1, invalid: 0, left_out: 0 })
  const [copied] = await copy.records()
  if (copied === undefined) throw new Error('the record is missing')
  const found = await copy.comments(copied)
  expect(found.map(({ text, parent, about, inserted_at }) => [text, parent, about?.question ?? null, inserted_at])).toEqual([
    ['Why?', null, 'mood', first.inserted_at],
    ['Because', found[0]?.id, null, expect.any(String)],
  ])
  const long = await setUp()
  const longCounts = await long.run('long.jsonl', await download('long'), {
    ...mapping,
    suggestions: [{ source: 'response.mood', target: 'mood' }],
    annotators: [{ name: ann.username, as: 'answers', user_id: long.users[0]?.id }],
  })
  expect(longCounts.answers).toMatchObject({ stored: 1 })
  const [answer] = (await long.records())[0]?.responses ?? []
  const [original] = record.responses ?? []
  expect([nameOf(original?.user_id ?? ''), answer?.inserted_at, answer?.updated_at]).toEqual([
    'ann',
    original?.inserted_at,
    original?.updated_at,
  ])
  expect(await comments(record)).toHaveLength(2)
})
