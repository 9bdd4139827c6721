import type { FileCheck, ImportFile } from '@postil/contract/files/imports.ts'
import type { Record as WireRecord } from '@postil/contract/records.ts'
import type { DatasetSpec } from '@postil/testkit/factories.ts'
import { expect, it } from 'vitest'
import { importer, same, setUpImports } from './testing/fixtures.ts'

const fixture = setUpImports()
const options = (...values: readonly string[]) => values.map((value) => ({ value, text: value }))

const spec: DatasetSpec = {
  fields: [{ name: 'text', required: true, settings: { type: 'text' } }],
  questions: [
    { name: 'mood', required: true, settings: { type: 'label_selection', options: options('good', 'bad') } },
    { name: 'label', settings: { type: 'span', field: 'text', options: options('PER'), allow_overlapping: false } },
  ],
  distribution: { strategy: 'overlap', min_submitted: 2 },
}

const result = (from_name: string, type: string, value: object) => ({ from_name, to_name: 'text', type, value })
const mood = (value: string) => result('mood', 'choices', { choices: [value] })
const person = (start: number, end: number) => result('label', 'labels', { start, end, labels: ['PER'] })
const done = (completed_by: unknown, results: readonly object[], more: object = {}) => ({
  completed_by,
  result: results,
  ...more,
})

const [ann, ben, eve, zoe] = ['ann@example.org', 'ben@example.org', 'eve@example.org', 'zoe@example.org'].map((email) => ({
  email,
}))
const tasks = [
  {
    id: 1,
    data: { text: 'Ann is here' },
    annotations: [
      done(ann, [mood('good'), person(0, 3)]),
      done(ben, [mood('bad')]),
      done(ann, [mood('bad')]),
      done(zoe, [mood('bad')]),
    ],
    predictions: [{ model_version: 'm1', score: 0.5, result: [mood('bad')] }],
  },
  {
    id: 2,
    data: { text: 'Two' },
    annotations: [done(ann, [mood('good')]), done(ben, [mood('bad')], { was_cancelled: true }), done(eve, [mood('good')])],
    drafts: [{ user: zoe, result: [mood('good')] }],
  },
  // The required answer `mood` is missing, a label is unknown, and a span is outside the text
  {
    id: 3,
    data: { text: 'Three' },
    annotations: [done(ann, [person(0, 5)]), done(ben, [mood('unknown')]), done(eve, [mood('good'), person(0, 99)])],
  },
]

const setUp = async () => {
  const { server } = fixture
  const dataset = await server.createDataset(spec)
  const users = await Promise.all(
    ['ann', 'ben', 'eve', 'zoe'].map((name) =>
      server.createUser({ username: `${name}-${dataset.id.slice(-8)}`, workspaces: [dataset.workspace_id] }),
    ),
  )
  const [annUser, benUser, eveUser, zoeUser] = users
  const mapping = {
    fields: same('text'),
    suggestions: same('mood', 'label'),
    external_id: 'id',
    annotators: [
      { name: 'ann@example.org', as: 'answers', user_id: annUser?.id },
      { name: 'ben@example.org', as: 'answers', user_id: benUser?.id },
      { name: 'eve@example.org', as: 'nothing' },
      { name: 'zoe@example.org', as: 'answers', user_id: zoeUser?.id },
    ],
  }
  const client = server.clientFor(server.owner)
  const answers = async () => {
    const { body } = await client.get<{ items: WireRecord[] }>(
      `/datasets/${dataset.id}/records?include=responses,suggestions&limit=100`,
    )
    const names = new Map([annUser, benUser, eveUser, zoeUser].map((user, i) => [user?.id, ['ann', 'ben', 'eve', 'zoe'][i]]))
    return body.items.map(({ external_id, status, responses = [], suggestions = [] }) => ({
      id: external_id,
      status,
      answers: responses
        .map((one) => [names.get(one.user_id), one.status, one.values, one.version])
        .toSorted((a, b) => String(a[0]).localeCompare(String(b[0]))),
      suggestions: suggestions.map(({ value, agent }) => [value, agent]),
    }))
  }
  return { ...importer(server, dataset), dataset, mapping, answers, users: { ann: annUser, ben: benUser }, client }
}

it('imports annotations as answers of the chosen users, exactly and only once', async () => {
  const { upload, start, finish, job, report, answers, mapping, check, client, dataset } = await setUp()
  const content = JSON.stringify(tasks)
  const file = (await upload('project.json', content)).body
  expect(file.contents?.annotations).toEqual([
    { name: 'ann@example.org', annotations: 4 },
    { name: 'ben@example.org', annotations: 3 },
    { name: 'zoe@example.org', annotations: 2 },
    { name: 'eve@example.org', annotations: 2 },
  ])
  const checked = (await check(file.id, mapping)).body as FileCheck
  expect(checked.errors).toEqual([])
  expect(checked.warnings.map(({ row, reason }) => [row, reason])).toEqual([
    [3, expect.stringContaining('ann@example.org cannot be imported')],
    [3, expect.stringContaining('ben@example.org cannot be imported')],
  ])
  const first = await start(file.id, mapping)
  expect(first.status).toBe(202)
  await finish()
  const stored = [
    {
      id: '1',
      status: 'completed',
      answers: [
        ['ann', 'submitted', { mood: { value: 'good' }, label: { value: [{ label: 'PER', start: 0, end: 3 }] } }, 1],
        ['ben', 'submitted', { mood: { value: 'bad' }, label: { value: [] } }, 1],
        ['zoe', 'submitted', { mood: { value: 'bad' }, label: { value: [] } }, 1],
      ],
      suggestions: [['bad', 'm1']],
    },
    {
      id: '2',
      status: 'pending',
      answers: [
        ['ann', 'submitted', { mood: { value: 'good' }, label: { value: [] } }, 1],
        ['ben', 'discarded', { mood: { value: 'bad' } }, 1],
        ['zoe', 'draft', { mood: { value: 'good' } }, 1],
      ],
      suggestions: [],
    },
    { id: '3', status: 'pending', answers: [], suggestions: [] },
  ]
  expect(await answers()).toEqual(stored)
  const counts = { rows: 3, created: 3, updated: 0, failed: 0 }
  expect((await job(first.body.id)).import).toEqual({
    ...counts,
    answers: { stored: 6, kept: 0, invalid: 2, left_out: 3, unmapped: 0 },
  })
  const reported = (await report(file.id)).trim().split('\n')
  expect(reported).toHaveLength(1)
  expect(reported[0]).toContain('ben@example.org cannot be imported')
  const progress = (await client.get<object>(`/datasets/${dataset.id}/progress`)).body
  expect(progress).toMatchObject({ total: 3, completed: 1, pending: 2 })

  // Importing the same file again changes nothing. An answer that differs from the file is kept and listed
  const changed = JSON.stringify(tasks).replace(
    '"completed_by":{"email":"ben@example.org"},"result":[{"from_name":"mood","to_name":"text","type":"choices","value":{"choices":["bad"]}}]',
    '"completed_by":{"email":"ben@example.org"},"result":[{"from_name":"mood","to_name":"text","type":"choices","value":{"choices":["good"]}}]',
  )
  for (const [again, kept] of [
    [content, 0],
    [changed, 1],
  ] as const) {
    const next = (await upload('project.json', again)).body
    const started = await start(next.id, mapping)
    await finish()
    expect((await job(started.body.id)).import).toEqual({
      ...counts,
      created: 0,
      updated: 3,
      answers: { stored: 0, kept: 6, invalid: 2, left_out: 3, unmapped: 0 },
    })
    expect(await answers()).toEqual(stored)
    expect((await report(next.id)).includes('that answer was kept')).toBe(kept > 0)
  }
})

it('makes suggestions of annotations that the mapping does not name', async () => {
  const { upload, start, finish, job, answers, mapping } = await setUp()
  const file = (await upload('project.json', JSON.stringify(tasks.slice(0, 2)))).body
  const annotators = mapping.annotators.filter(({ name }) => name !== 'ann@example.org')
  const started = await start(file.id, { ...mapping, annotators })
  await finish()
  expect((await job(started.body.id)).import?.answers).toEqual({
    stored: 4,
    kept: 0,
    invalid: 0,
    left_out: 1,
    unmapped: 3,
    unmapped_annotators: [{ name: 'ann@example.org', annotations: 3 }],
  })
  expect((await answers()).map((one) => one.suggestions)).toEqual([
    [
      ['good', 'ann_example.org'],
      [[{ label: 'PER', start: 0, end: 3 }], 'ann_example.org'],
    ],
    [['good', 'ann_example.org']],
  ])
})

it('refuses users who do not belong to the workspace, and records the users in the audit log', async () => {
  const { upload, start, check, mapping, users, client, dataset } = await setUp()
  const file = (await upload('project.json', JSON.stringify(tasks))).body as ImportFile
  const stranger = await fixture.server.createUser({ username: `out-${dataset.id.slice(-8)}` })
  const outside = { ...mapping, annotators: [{ name: 'ann@example.org', as: 'answers', user_id: stranger.id }] }
  for (const refused of [await start(file.id, outside), await check(file.id, outside)])
    expect([refused.status, JSON.stringify(refused.body)]).toEqual([422, expect.stringContaining(stranger.username)])
  const unknown = { ...mapping, annotators: [{ name: 'ann@example.org', as: 'answers' }] }
  expect((await start(file.id, unknown)).status).toBe(422)
  expect((await start(file.id, mapping)).status).toBe(202)
  const { items } = (await client.get<{ items: { action: string; details: object }[] }>('/audit?action=imports.start')).body
  expect(items[0]?.details).toMatchObject({
    'mapping.annotators_user_1_id': users.ann?.id,
    'mapping.annotators_user_2_id': users.ben?.id,
  })
})

it('reads decisions of Prodigy as answers', async () => {
  const { upload, start, finish, mapping, answers, users } = await setUp()
  const row = (text: string, label: string, answer: string) =>
    JSON.stringify({ text, label, answer, _task_hash: 1, _input_hash: 1, _annotator_id: 'ann' })
  const content = [row('One', 'good', 'accept'), row('Two', 'bad', 'reject'), row('Three', 'bad', 'ignore')].join('\n')
  const file = (await upload('prodigy.jsonl', content)).body
  expect(file.contents?.annotations).toEqual([{ name: 'ann', annotations: 3 }])
  await start(file.id, {
    ...mapping,
    external_id: null,
    suggestions: [{ source: 'label', target: 'mood' }],
    annotators: [{ name: 'ann', as: 'answers', user_id: users.ann?.id }],
  })
  await finish()
  expect((await answers()).map((one) => one.answers)).toEqual([
    [['ann', 'submitted', { mood: { value: 'good' } }, 1]],
    [['ann', 'discarded', { mood: { value: 'bad' } }, 1]],
    [['ann', 'discarded', { mood: { value: 'bad' } }, 1]],
  ])
})
