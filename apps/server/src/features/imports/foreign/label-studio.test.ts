import { expect, it } from 'vitest'
import { setUpImports } from '../testing/fixtures.ts'
import { importAsProposed } from '../testing/import-as-proposed.ts'
import { converter } from './convert.ts'

const fixture = setUpImports()

const span = (start: number, end: number, text: string, label: string) => ({
  from_name: 'label',
  to_name: 'text',
  type: 'labels',
  value: { start, end, text, labels: [label] },
})
const control = (from_name: string, type: string, value: object) => ({ from_name, to_name: 'text', type, value })
const task = (id: number, text: string, result: readonly object[], more: object = {}) => ({
  id,
  annotations: [{ id: id + 100, completed_by: 1, result, was_cancelled: false, ground_truth: false, lead_time: 12.3 }],
  file_upload: 'ab12-tasks.csv',
  drafts: [],
  predictions: [],
  data: { text, source: 'mail' },
  meta: {},
  created_at: '2024-03-01T09:00:00.000000Z',
  inner_id: id,
  total_annotations: 1,
  project: 7,
  ...more,
})

it('reads an export of Label Studio as fields, questions and suggestions', async () => {
  const predictions = [{ model_version: 'm1', score: 0.8, result: [control('mood', 'choices', { choices: ['neutral'] })] }]
  const done = (completed_by: unknown, result: readonly object[], more: object = {}) => ({ completed_by, result, ...more })
  const tasks = [
    task(1, 'Maria works at Acme', [
      span(0, 5, 'Maria', 'PER'),
      span(15, 19, 'Acme', 'ORG'),
      control('tags', 'choices', { choices: ['a', 'b'] }),
      control('stars', 'rating', { rating: 4 }),
      control('topic', 'taxonomy', { taxonomy: [['Sport', 'Ball'], ['News']] }),
      control('note', 'textarea', { text: ['one', 'two'] }),
      control('best', 'ranker', { ranker: { rank: ['x', 'y'] } }),
    ]),
    // The file repeats the text of each span. This text shows that the offsets of this span count code points
    task(2, 'A parcel 😡 in Paris', [span(14, 19, 'Paris', 'LOC'), control('mood', 'choices', { choices: ['angry'] })], {
      predictions,
    }),
    task(3, 'A parcel 😡 in Rome', [span(15, 19, 'Rome', 'LOC')], { predictions }),
    task(4, 'No annotation', [], { annotations: [], drafts: [{ result: [] }] }),
    task(5, 'Two people', [], {
      annotations: [
        done({ email: 'ann@example.org' }, [control('tags', 'choices', { choices: ['a'] })]),
        done({ email: 'ben@example.org' }, [control('tags', 'choices', { choices: ['b'] })]),
        done(1, [], { was_cancelled: true }),
      ],
    }),
    task(6, 'A box', [{ ...control('box', 'rectanglelabels', { x: 1, rectanglelabels: ['Car'] }) }]),
    task(7, 'Wrong', [span(0, 5, 'Maria', 'PER')]),
  ]
  const { file, job, records } = await importAsProposed(fixture.server, 'project-7.json', JSON.stringify(tasks))
  expect([file.recognized, file.read_as]).toEqual(['label_studio', 'label_studio'])
  expect(file.contents).toMatchObject({ rows: 7, whole: true, annotators: 3 })
  expect(file.contents?.left_out).toEqual(
    expect.arrayContaining([
      { part: 'annotations', reason: 'further', rows: 1 },
      { part: 'annotations', reason: 'rejected', rows: 1 },
      { part: 'predictions: mood', reason: 'further', rows: 1 },
      { part: 'drafts', reason: 'unsupported', rows: 1 },
      { part: 'box (rectanglelabels)', reason: 'unsupported', rows: 1 },
      { part: 'project', reason: 'technical', rows: 7 },
    ]),
  )
  expect(file.columns.map(({ name, proposal }) => [name, proposal?.role, proposal?.type])).toEqual([
    ['id', 'external_id', null],
    ['text', 'field', 'text'],
    ['source', 'metadata', 'terms'],
    ['tags', 'suggestion', 'multi_label_selection'],
    ['stars', 'suggestion', 'rating'],
    ['topic', 'suggestion', 'multi_label_selection'],
    ['note', 'suggestion', 'text'],
    ['best', 'suggestion', 'ranking'],
    ['label', 'suggestion', 'span'],
    ['mood', 'suggestion', 'label_selection'],
  ])
  expect(file.columns.find(({ name }) => name === 'label')?.values).toEqual(['PER', 'ORG', 'LOC'])
  expect(job.import).toEqual({ rows: 7, created: 6, updated: 0, failed: 1 })
  expect(records.map(({ external_id, fields, found }) => [external_id, fields['text'], found])).toEqual([
    [
      '1',
      'Maria works at Acme',
      {
        label: [
          { label: 'PER', start: 0, end: 5 },
          { label: 'ORG', start: 15, end: 19 },
        ],
        tags: ['a', 'b'],
        stars: 4,
        topic: ['Sport > Ball', 'News'],
        note: 'one\ntwo',
        best: [
          { value: 'x', rank: 1 },
          { value: 'y', rank: 2 },
        ],
      },
    ],
    ['2', 'A parcel 😡 in Paris', { label: [{ label: 'LOC', start: 14, end: 19 }], mood: 'angry' }],
    ['3', 'A parcel 😡 in Rome', { label: [{ label: 'LOC', start: 14, end: 18 }], mood: 'neutral' }],
    ['4', 'No annotation', {}],
    ['5', 'Two people', { tags: ['a'] }],
    ['6', 'A box', {}],
  ])
  const origins = records.flatMap(({ suggestions = [] }) => suggestions.map(({ value, agent, score }) => [value, agent, score]))
  expect(origins).toContainEqual(['neutral', 'm1', 0.8])
  expect(origins).toContainEqual([['a'], 'ann_example.org', null])
})

it('reads tasks without annotations, and the same file as a plain table', async () => {
  const tasks = JSON.stringify([{ data: { text: 'one' } }, { data: { text: 'two' } }])
  const { file, records } = await importAsProposed(fixture.server, 'tasks.json', tasks)
  expect(file.recognized).toBe('label_studio')
  expect(records.map(({ fields }) => fields['text'])).toEqual(['one', 'two'])
  const client = fixture.server.clientFor(fixture.server.owner)
  const { id } = (await client.post<{ id: string }>('/me/imports/files?name=tasks.json', tasks)).body
  const { status, body } = await client.post<typeof file>(`/me/imports/files/${id}/read-as`, { as: 'plain' })
  expect([status, body.recognized, body.read_as, body.contents]).toEqual([200, 'label_studio', 'plain', null])
  expect(body.columns.map(({ name, type }) => [name, type])).toEqual([
    ['data', 'object'],
    ['data.text', 'text'],
  ])
  expect((await client.post(`/me/imports/files/${id}/read-as`, { as: 'other' })).status).toBe(422)
})

it('reads exports in which predictions and drafts are only IDs, and says so', async () => {
  const ids = ['one', 'two', 'one'].map((mood, i) => ({
    ...task(i, `text ${i}`, [control('mood', 'choices', { choices: [mood] })]),
    predictions: [i],
    drafts: [i],
  }))
  const { file, records } = await importAsProposed(fixture.server, 'ids.json', JSON.stringify(ids))
  expect(file.recognized).toBe('label_studio')
  expect(file.contents?.left_out).toEqual(
    expect.arrayContaining([
      { part: 'predictions', reason: 'unsupported', rows: 3 },
      { part: 'drafts', reason: 'unsupported', rows: 3 },
    ]),
  )
  expect(records.map(({ found }) => found)).toEqual([{ mood: 'one' }, { mood: 'two' }, { mood: 'one' }])
})

it('finds annotations in later rows, and refuses rows with annotations that it did not find', async () => {
  const late = (i: number) => (i < 1100 ? 'mood' : 'late')
  const tasks = Array.from({ length: 1200 }, (_, i) =>
    task(i, `text ${i}`, [control(late(i), 'choices', { choices: [i % 2 ? 'x' : 'y'] })]),
  )
  const { job, file } = await importAsProposed(fixture.server, 'late.json', JSON.stringify(tasks))
  expect(file.columns.map(({ name }) => name)).toEqual(['id', 'text', 'source', 'mood', 'late'])
  expect(job.import).toEqual({ rows: 1200, created: 1200, updated: 0, failed: 0 })
  const convert = converter({ as: 'label_studio', columns: [{ part: 'data', name: 'text', column: 'text' }] })
  const row = { row: 1, line: 1, values: new Map(Object.entries(tasks[0] ?? {})) }
  expect(convert(row)).toMatchObject({ row: 1, line: 1, fault: { code: 'annotationLate' } })
})
