import type { History } from '@postil/contract/history.ts'
import type { LabelChangeInput } from '@postil/contract/schema-versions.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bootIdleServer, type IdleServer } from '#features/jobs/testing/idle-server.ts'
import { must } from '#features/queue/testing/team.ts'
import { recount } from '#features/records/service.ts'
import { failJob } from './testing/operations.ts'
import {
  complete,
  createTeam,
  givenValue,
  labeledQuestions,
  responsesOf,
  runSteps,
  type TeamOfLabels,
  valuesWith,
} from './testing/team.ts'

let idle: IdleServer
beforeAll(async () => {
  idle = await bootIdleServer(new URL('./testing/operations.ts', import.meta.url))
})
afterAll(async () => {
  expect(await recount(idle.server.app.ctx)).toEqual([])
  await idle.close()
})

const everywhere = async () => expect(await recount(idle.server.app.ctx)).toEqual([])
type Team = TeamOfLabels
const renames = ({ idOf }: Team, label: string, value: string): LabelChangeInput[] =>
  labeledQuestions.map((name) => ({ type: 'rename_label', question_id: idOf(name), label, value, text: value }))
const merges = ({ idOf }: Team, label: string, into: string): LabelChangeInput[] =>
  labeledQuestions.map((name) => ({ type: 'merge_labels', question_id: idOf(name), labels: [label], into }))
it('renames labels in answers, drafts, suggestions and final answers, and resumes after a kill', {
  timeout: 60_000,
}, async () => {
  const team = await createTeam(idle, 620)
  for (const i of [0, 1, 619]) await team.answer(0, i, complete('a'))
  await team.answer(1, 0, { label: { value: 'b' } })
  await team.answer(1, 1, { label: { value: 'a' } }, 'draft')
  for (const name of labeledQuestions) {
    const { value } = valuesWith('a')[name]
    const body = { question_id: team.idOf(name), value, ...(name === 'tags' && { score: [0.9, 0.1] }) }
    must(await team.owner.put(`/records/${team.ids[3]}/suggestions`, body))
  }
  await team.gold(0, { label: { value: 'a' }, spans: valuesWith('a').spans })
  const before = await team.record(0)

  const plan = await team.plan(...renames(team, 'a', 'A1'))
  expect(plan).toMatchObject({ affected: { answers: 4, suggestions: 4, gold: 1, views: 0 }, refused: [] })
  expect(plan.examples).toHaveLength(5)
  expect(plan.examples[0]).toMatchObject({ record_id: team.ids[0], before: 'a', after: 'A1', user: { id: team.users[0]?.id } })

  const version = await team.apply(...renames(team, 'a', 'A1'))
  expect(version).toMatchObject({ no: 1, note: 'why', job: { status: 'queued' }, revertible: false })
  expect(await team.labels('label')).toEqual({
    values: ['A1', 'b', 'c', 'd', 'a'],
    texts: ['A1', 'B', 'C', 'D', 'A1'],
    retired: ['a'],
    replaced: [{ from: 'a', to: 'A1' }],
  })
  expect(await runSteps(idle, 1)).toBe('started')
  await everywhere()
  const changed = await Promise.all([0, 619].map((i) => givenValue(team, 0, i, 'label')))
  expect(changed).toEqual(['A1', 'a'])
  for (const name of labeledQuestions)
    for (const label of ['a', 'A1'])
      expect([name, label, await team.found('response', name, label)]).toEqual([name, label, [0, 1, 619]])
  for (const label of ['a', 'A1']) expect(await team.found('suggestion', 'label', label)).toEqual([3])
  // Another change must wait.
  expect((await team.owner.post(`${team.path}/schema/1/revert`)).status).toBe(409)
  expect((await team.owner.post(`/jobs/${version.job?.id}/cancel`)).status).toBe(422)

  expect(await runSteps(idle)).toBe('finished')
  await everywhere()
  expect(await team.job(version)).toMatchObject({ relabeled: { answers: 4, suggestions: 4, gold: 1, kept: 0 }, done: 620 })
  for (const name of labeledQuestions) {
    expect(await team.labels(name)).toMatchObject({ values: ['A1', 'b', 'c', 'd'], retired: [] })
    expect(await givenValue(team, 0, 619, name)).toEqual(
      name === 'order' ? ['A1', 'b', 'c', 'd'].map((value, i) => ({ value, rank: i + 1 })) : valuesWith('A1')[name].value,
    )
    for (const label of ['a', 'A1']) expect(await team.found('response', name, label)).toEqual([0, 1, 619])
  }
  const { suggestions = [] } = await team.record(3)
  expect(suggestions.map(({ value }) => value)).toEqual(labeledQuestions.map((name) => valuesWith('A1')[name].value))
  expect(suggestions[1]?.score).toEqual([0.9, 0.1])
  expect(await team.goldOf(0)).toMatchObject({
    version: 1,
    stale: false,
    values: { label: { value: 'A1' }, spans: valuesWith('A1').spans },
  })
  // To its author, the answer is the same.
  const answers = (record: typeof before) =>
    record.responses?.map(({ id, version: no, updated_at }) => ({ id, version: no, updated_at }))
  expect(answers(await team.record(0))).toEqual(answers(before))
  const { items } = must(await team.owner.get<History>(`/records/${team.ids[0]}/history`))
  expect(items.map(({ subject, schema_version, by }) => ({ subject, schema_version, by }))).toEqual(
    ['gold', 'response'].map((subject) => ({ subject, schema_version: 1, by: idle.server.owner.id })),
  )
  expect(items.find(({ subject }) => subject === 'response')?.before).toMatchObject({ values: { label: { value: 'a' } } })
})

it('merges labels, and a revert restores all answers that nobody has changed since', async () => {
  const team = await createTeam(idle, 4)
  for (const i of [0, 1]) await team.answer(0, i, complete('a'))
  await team.answer(0, 2, complete('b'))
  await team.answer(1, 0, { ...complete('b'), tags: { value: ['a', 'b'] } })
  const tags = { question_id: team.idOf('tags'), value: ['a', 'b', 'c'], score: [0.2, 0.7, 0.1] }
  must(await team.owner.put(`/records/${team.ids[3]}/suggestions`, tags))
  await team.gold(1, { label: { value: 'a' } })
  const before = await Promise.all([0, 2, 3].map((i) => team.record(i)))

  await team.apply(...merges(team, 'a', 'b'))
  await runSteps(idle)
  await everywhere()
  expect(await team.labels('label')).toMatchObject({ values: ['b', 'c', 'd'], replaced: [{ from: 'a', to: 'b' }] })
  expect(await givenValue(team, 1, 0, 'tags')).toEqual(['b'])
  expect(await givenValue(team, 0, 0, 'order')).toEqual(['b', 'c', 'd'].map((value, i) => ({ value, rank: i + 1 })))
  expect((await team.record(3)).suggestions?.[0]).toMatchObject({ value: ['b', 'c'], score: [0.7, 0.1] })
  expect(await team.found('response', 'label', 'a')).toEqual([0, 1, 2])

  const { id, version } = (await responsesOf(team, 1)).get(team.users[0]?.id ?? '') ?? {}
  must(await team.as(0).put(`/responses/${id}`, { status: 'submitted', values: { label: { value: 'b' } } }))
  await team.answer(2, 1, { label: { value: 'a' } })
  expect(await team.versions()).toMatchObject([{ no: 1, revertible: true }])
  const revert = await team.revert(1)
  expect(revert).toMatchObject({ no: 2, changes: [{ type: 'revert', no: 1 }] })
  await runSteps(idle)
  await everywhere()
  expect(await team.job(revert)).toMatchObject({ relabeled: { answers: 3, suggestions: 1, gold: 1, kept: 1 } })
  expect(await Promise.all([0, 2, 3].map((i) => team.record(i)))).toEqual(before)
  expect((await responsesOf(team, 1)).get(team.users[0]?.id ?? '')).toMatchObject({
    version: (version ?? 0) + 1,
    values: { label: { value: 'b' } },
  })
  expect(await team.goldOf(1)).toMatchObject({ version: 1, values: { label: { value: 'a' } } })
  expect(await team.labels('label')).toEqual({
    values: ['a', 'b', 'c', 'd'],
    texts: ['A', 'B', 'C', 'D'],
    retired: [],
    replaced: [],
  })
  expect(await team.found('response', 'label', 'a')).toEqual([0])
  expect((await team.versions()).map(({ revertible }) => revertible)).toEqual([false, false])
  expect((await team.owner.post(`${team.path}/schema/1/revert`)).status).toBe(409)
  expect((await team.owner.post(`${team.path}/schema/2/revert`)).status).toBe(422)
})

it('reverts a rename for all answers, including for those given since', async () => {
  const team = await createTeam(idle, 2)
  await team.answer(0, 0, complete('a'))
  await team.apply(...renames(team, 'a', 'A1'))
  await runSteps(idle)
  await team.answer(0, 1, { label: { value: 'A1' } })
  await team.revert(1)
  await runSteps(idle)
  await everywhere()
  expect(await givenValue(team, 0, 0, 'spans')).toEqual(valuesWith('a').spans.value)
  expect(await givenValue(team, 0, 1, 'label')).toBe('a')
  expect(await team.labels('label')).toMatchObject({
    values: ['a', 'b', 'c', 'd'],
    retired: [],
    replaced: [{ from: 'A1', to: 'a' }],
  })
  await team.answer(1, 1, { label: { value: 'A1' } })
  expect(await givenValue(team, 1, 1, 'label')).toBe('a')
})

it('maps labels of answers, suggestions and final answers that arrive late', async () => {
  const team = await createTeam(idle, 3)
  const mine = { mutation_id: crypto.randomUUID(), base_version: null, status: 'submitted', values: { label: { value: 'b' } } }
  must(await team.as(0).put(`/records/${team.ids[0]}/responses/mine`, mine))
  for (const [label, value] of [
    ['a', 'A1'],
    ['A1', 'A2'],
  ] as const) {
    await team.apply(...renames(team, label, value))
    // Only the job of the first renaming has run when the answers arrive.
    if (value === 'A1') await runSteps(idle)
  }
  const edit = { ...mine, mutation_id: crypto.randomUUID(), base_version: 1, values: complete('a') }
  expect(must(await team.as(0).put(`/records/${team.ids[0]}/responses/mine`, edit))).toMatchObject({
    version: 2,
    values: { label: { value: 'A2' } },
  })
  const bulk = [{ record_id: team.ids[1], status: 'submitted', values: { label: { value: 'A1' } } }]
  must(await team.as(0).post('/me/responses/bulk', { items: bulk }))
  const records = [
    {
      id: team.ids[2],
      fields: { text: 'text of a record' },
      suggestions: [{ question_id: team.idOf('spans'), value: valuesWith('a').spans.value }],
      responses: [
        { user_id: team.users[1]?.id, status: 'submitted', values: { label: { value: 'd' }, tags: { value: ['a', 'd'] } } },
      ],
    },
  ]
  must(await team.owner.put(`${team.path}/records/bulk`, { items: records }))
  await team.gold(2, { label: { value: 'A1' } })
  await runSteps(idle)
  await everywhere()
  expect(await givenValue(team, 0, 0, 'spans')).toEqual(valuesWith('A2').spans.value)
  expect(await givenValue(team, 0, 1, 'label')).toBe('A2')
  expect(await givenValue(team, 1, 2, 'tags')).toEqual(['A2', 'd'])
  expect((await team.record(2)).suggestions?.[0]?.value).toEqual(valuesWith('A2').spans.value)
  expect(await team.goldOf(2)).toMatchObject({ values: { label: { value: 'A2' } } })
  // A repeated request has no effect, even if it still has the old label.
  expect(must(await team.as(0).put(`/records/${team.ids[0]}/responses/mine`, edit))).toMatchObject({ version: 2 })
  const { items } = must(await team.owner.get<History>(`/records/${team.ids[0]}/history`))
  const first = items.find(({ subject }) => subject === 'response')
  must(await team.owner.post(`/records/${team.ids[0]}/history/${first?.id}/restore`, {}))
  expect(await givenValue(team, 0, 0, 'label')).toBe('b')
})

it('keeps retired labels valid, but no longer needs them in rankings', async () => {
  const team = await createTeam(idle, 2)
  await team.answer(0, 0, complete('a'))
  const retire = (['label', 'order'] as const).map(
    (name): LabelChangeInput => ({
      type: 'retire_label',
      question_id: team.idOf(name),
      label: 'a',
    }),
  )
  expect(await team.plan(...retire)).toMatchObject({ affected: { answers: 1, suggestions: 0, gold: 0 } })
  expect(await team.apply(...retire)).toMatchObject({ job: null, revertible: true })
  expect(await team.labels('label')).toMatchObject({ values: ['a', 'b', 'c', 'd'], retired: ['a'] })
  await team.answer(1, 0, complete('a'))
  await team.answer(1, 1, { order: { value: ['b', 'c', 'd'].map((value, i) => ({ value, rank: i + 1 })) } })
  const incomplete = { label: { value: 'd' }, order: { value: ['a', 'b', 'c'].map((value, i) => ({ value, rank: i + 1 })) } }
  const sent = await team.as(2).post(`/records/${team.ids[1]}/responses`, { status: 'submitted', values: incomplete })
  expect(sent.status).toBe(422)
  await team.apply({ type: 'restore_label', question_id: team.idOf('label'), label: 'a' })
  expect(await team.labels('label')).toMatchObject({ retired: [] })
})

it('adds and reorders labels, and a revert retires the added ones', async () => {
  const team = await createTeam(idle, 1)
  const of = { question_id: team.idOf('tags') }
  await team.apply(
    { type: 'add_label', ...of, value: 'new', text: 'New' },
    { type: 'rename_label', ...of, label: 'b', value: 'b', text: 'Bee' },
    { type: 'reorder', ...of, labels: ['new', 'd', 'c', 'b', 'a'] },
  )
  expect(await team.labels('tags')).toMatchObject({ values: ['new', 'd', 'c', 'b', 'a'], texts: ['New', 'D', 'C', 'Bee', 'A'] })
  await team.answer(0, 0, { tags: { value: ['new'] } })
  await team.revert(1)
  await runSteps(idle)
  expect(await team.labels('tags')).toMatchObject({ values: ['a', 'b', 'c', 'd', 'new'], retired: ['new'] })
  expect(await givenValue(team, 0, 0, 'tags')).toEqual(['new'])
})

const splitInto = (of: { readonly question_id: string }, label: string, ...into: string[]): LabelChangeInput[] => [
  { type: 'split_label', ...of, label, into: into.map((value) => ({ value, text: value })) },
]

it('says which changes are refused, and why', async () => {
  const team = await createTeam(idle, 1)
  await team.apply(...renames(team, 'a', 'A1'))
  await runSteps(idle)
  await team.answer(0, 0, { order: { value: ['A1', 'b', 'c', 'd'].map((value, i) => ({ value, rank: i + 1 })) } })
  const of = { question_id: team.idOf('label') }
  const note = (await team.questions()).find(({ name }) => name === 'note')?.id ?? ''
  const cases: readonly (readonly [string, ...LabelChangeInput[]])[] = [
    ['labelUnknown', { type: 'retire_label', ...of, label: 'x' }],
    ['labelTaken', { type: 'rename_label', ...of, label: 'b', value: 'c', text: 'C' }],
    ['labelTaken', { type: 'add_label', ...of, value: 'c', text: 'C' }],
    ['labelFormer', { type: 'add_label', ...of, value: 'a', text: 'A' }],
    ['labelFormer', { type: 'rename_label', ...of, label: 'b', value: 'a', text: 'A' }],
    ['labelIntoItself', { type: 'merge_labels', ...of, labels: ['b'], into: 'b' }],
    ['labelIntoRetired', { type: 'retire_label', ...of, label: 'c' }, { type: 'merge_labels', ...of, labels: ['b'], into: 'c' }],
    ['labelRetired', { type: 'retire_label', ...of, label: 'c' }, { type: 'retire_label', ...of, label: 'c' }],
    ['labelNotRetired', { type: 'restore_label', ...of, label: 'c' }],
    ['labelIntoFew', { type: 'split_label', ...of, label: 'b', into: ['c', 'c'].map((value) => ({ value, text: value })) }],
    ['labelTaken', { type: 'rename_label', ...of, label: 'b', value: 'B', text: 'B' }, ...splitInto(of, 'c', 'b', 'x')],
    ['labelIntoRetired', { type: 'retire_label', ...of, label: 'c' }, ...splitInto(of, 'b', 'c', 'd')],
    ['labelsIncomplete', { type: 'reorder', ...of, labels: ['A1', 'b'] }],
    ['labelsOfRanking', { type: 'add_label', question_id: team.idOf('order'), value: 'e', text: 'E' }],
    ['labelsTooFew', { type: 'merge_labels', ...of, labels: ['A1', 'b', 'c'], into: 'd' }],
    ['noLabels', { type: 'retire_label', question_id: note, label: 'x' }],
    ['questionUnknown', { type: 'retire_label', question_id: crypto.randomUUID(), label: 'x' }],
  ]
  for (const [code, ...changes] of cases)
    expect(await team.plan(...changes)).toMatchObject({
      token: null,
      refused: [{ change: changes.length - 1, reason_parts: [{ code }] }],
    })
  expect((await team.plan({ type: 'rename_label', ...of, label: 'A1', value: 'a', text: 'A' })).token).not.toBeNull()
})

it('refuses a plan when the labels have changed since, and other people', async () => {
  const team = await createTeam(idle, 1)
  const change: LabelChangeInput = { type: 'retire_label', question_id: team.idOf('label'), label: 'a' }
  const { token } = await team.plan(change)
  const settings = { type: 'label_selection', options: ['d', 'c', 'b', 'a'].map((value) => ({ value, text: value })) }
  must(await team.owner.patch(`/questions/${team.idOf('label')}`, { settings }))
  expect((await team.owner.post(`${team.path}/schema/apply`, { token })).status).toBe(409)
  expect((await team.owner.post(`${team.path}/schema/apply`, { token: 'other' })).status).toBe(422)
  // The edit is a version too.
  expect(await team.versions()).toMatchObject([{ no: 1, changes: [{ type: 'edit_options' }], job: null, revertible: true }])
  await team.revert(1)
  await runSteps(idle)
  expect(await team.labels('label')).toMatchObject({ values: ['a', 'b', 'c', 'd'], texts: ['A', 'B', 'C', 'D'] })
  expect((await team.as(0).post(`${team.path}/schema/plan`, { changes: [change] })).status).toBe(403)
  expect((await team.as(0).get(`${team.path}/schema-versions`)).status).toBe(200)
  expect((await team.owner.post(`${team.path}/schema/9/revert`)).status).toBe(404)
})

it('counts saved views that mention a label, which then find the same records', async () => {
  const team = await createTeam(idle, 2)
  await team.answer(0, 1, { label: { value: 'a' } })
  for (const [name, query] of [
    ['One', 'response=label.a.b'],
    ['Two', 'suggestion=tags.value.values.a'],
    ['Three', 'response=label.c'],
  ])
    must(await team.owner.post(`${team.path}/views`, { name, query }))
  expect((await team.plan(...renames(team, 'a', 'A1'))).affected.views).toBe(2)
})

it('carries the colors of labels, and completes what a failed job has left', async () => {
  const team = await createTeam(idle, 2)
  await team.answer(0, 1, { label: { value: 'a' } })
  must(await team.owner.put(`/questions/${team.idOf('label')}/label-colours`, { colours: [{ value: 'a', hue: 20 }] }))
  const renamed = await team.apply({ type: 'rename_label', question_id: team.idOf('label'), label: 'a', value: 'A1', text: 'A1' })
  await idle.tool.write(failJob, { id: renamed.job?.id ?? '' })
  expect(await givenValue(team, 0, 1, 'label')).toBe('a')
  await team.apply({ type: 'rename_label', question_id: team.idOf('label'), label: 'b', value: 'B1', text: 'B1' })
  await runSteps(idle)
  expect(await givenValue(team, 0, 1, 'label')).toBe('A1')
  expect(await team.labels('label')).toMatchObject({ values: ['A1', 'B1', 'c', 'd'], retired: [] })
  const { items } = must(await team.owner.get<{ items: { colours: unknown }[] }>(`${team.path}/label-colours`))
  expect(items).toMatchObject([{ colours: [{ value: 'A1', hue: 20 }] }])
})
