import type { History } from '@postil/contract/history.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { LabelChangeInput, SchemaVersion } from '@postil/contract/schema-versions.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bootIdleServer, type IdleServer } from '#features/jobs/testing/idle-server.ts'
import { must } from '#features/queue/testing/team.ts'
import { recount } from '#features/records/service.ts'
import { failJob } from './testing/operations.ts'
import { complete, createTeam, givenValue, labeledQuestions, responsesOf, runSteps, type TeamOfLabels } from './testing/team.ts'

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
const splits = ({ idOf }: Team, label: string, ...into: string[]): LabelChangeInput[] =>
  labeledQuestions.map((name) => ({
    type: 'split_label',
    question_id: idOf(name),
    label,
    into: into.map((value) => ({ value, text: value.toUpperCase() })),
  }))
const queueOf = async (team: Team, user: number) =>
  must(
    await team
      .as(user)
      .post<{ items: { record: { id: string } }[]; left: number }>(`/me/datasets/${team.dataset}/queue`, { limit: 50 }),
  )
const progress = async (team: Team) => must(await team.owner.get<{ completed: number; pending: number }>(`${team.path}/progress`))

it('splits a label: its answers are due again, with the old label as a hint, and a revert submits them', async () => {
  const team = await createTeam(idle, 120)
  await team.answer(0, 0, complete('a'))
  await team.answer(1, 0, complete('b'))
  await team.answer(0, 1, { label: { value: 'a' } })
  await team.answer(0, 119, { tags: { value: ['a', 'c'] } })
  await team.answer(1, 2, { label: { value: 'a' } }, 'draft')
  await team.answer(2, 3, { label: { value: 'a' } }, 'discarded')
  const suggestion = { question_id: team.idOf('label'), value: 'a' }
  must(await team.owner.put(`/records/${team.ids[5]}/suggestions`, suggestion))
  await team.gold(1, { label: { value: 'a' } })
  await team.gold(0, { label: { value: 'b' } })
  expect(await progress(team)).toMatchObject({ completed: 1 })

  // The author of `complete('b')` also gets the answer back, because its ranking contains all options, including a.
  const plan = await team.plan(...splits(team, 'a', 'a1', 'b', 'a2'))
  expect(plan).toMatchObject({ affected: { answers: 6, due: 4, suggestions: 1, gold: 1, views: 0 }, refused: [] })
  const version = await team.apply(...splits(team, 'a', 'a1', 'b', 'a2'))
  expect(await team.labels('tags')).toMatchObject({ values: ['a', 'a1', 'b', 'a2', 'c', 'd'], retired: ['a'], replaced: [] })
  await runSteps(idle)
  await everywhere()
  expect((await team.job(version)).relabeled).toMatchObject({ answers: 0, due: 4, suggestions: 0, gold: 1, kept: 0 })
  const first = (await responsesOf(team, 0)).get(team.users[0]?.id ?? '')
  expect(first).toMatchObject({
    status: 'draft',
    version: 2,
    values: complete('a'),
    returned: { by: { id: idle.server.owner.id }, comment: 'why' },
  })
  expect(first?.returned?.split?.find(({ question }) => question === 'label')).toEqual({
    question: 'label',
    label: 'a',
    into: ['a1', 'b', 'a2'],
  })
  expect((await responsesOf(team, 2)).get(team.users[1]?.id ?? '')).toMatchObject({ version: 1, returned: null })
  expect((await responsesOf(team, 3)).get(team.users[2]?.id ?? '')).toMatchObject({ version: 1, status: 'discarded' })
  expect(await progress(team)).toMatchObject({ completed: 0, pending: 120 })
  expect((await queueOf(team, 0)).items.slice(0, 3).map(({ record }) => record.id)).toEqual([0, 1, 119].map((i) => team.ids[i]))
  expect([await team.goldOf(0), await team.goldOf(1)]).toMatchObject([{ stale: true }, { stale: true }])
  const { items } = must(await team.owner.get<History>(`/records/${team.ids[0]}/history`))
  expect(items.find(({ subject }) => subject === 'response')?.before).toMatchObject({ status: 'submitted', version: 1 })

  // One author chooses a new label. Another author sends the old label, and the answer is returned to that author.
  must(await team.as(0).put(`/responses/${first?.id}`, { status: 'submitted', values: { label: { value: 'a1' } } }))
  await team.answer(2, 7, { label: { value: 'a' } })
  expect((await responsesOf(team, 7)).get(team.users[2]?.id ?? '')).toMatchObject({
    status: 'draft',
    returned: { by: null, comment: '', split: [{ question: 'label', label: 'a' }] },
  })
  expect((await responsesOf(team, 0)).get(team.users[0]?.id ?? '')).toMatchObject({ status: 'submitted', returned: null })
  const final = { label: { value: 'a', source: 'adjudicated' } }
  const body = { mutation_id: crypto.randomUUID(), base_version: null, values: final, final: true }
  expect((await team.owner.put(`/records/${team.ids[9]}/gold`, body)).status).toBe(422)
  await everywhere()

  const reverted = await team.revert(1)
  await runSteps(idle)
  await everywhere()
  expect((await team.job(reverted)).relabeled).toMatchObject({ answers: 3, due: 0, kept: 1, kept_records: [team.ids[0]] })
  expect(await team.labels('label')).toMatchObject({ values: ['a', 'b', 'c', 'd', 'a1', 'a2'], retired: ['a1', 'a2'] })
  for (const [record, user] of [
    [0, 1],
    [1, 0],
    [119, 0],
  ] as const)
    expect((await responsesOf(team, record)).get(team.users[user]?.id ?? '')).toMatchObject({
      status: 'submitted',
      version: 3,
      returned: null,
    })
  expect((await responsesOf(team, 7)).get(team.users[2]?.id ?? '')).toMatchObject({ status: 'draft' })
  must(await team.as(2).post(`/records/${team.ids[8]}/responses`, { status: 'submitted', values: { label: { value: 'a' } } }))
  expect(await progress(team)).toMatchObject({ completed: 1 })
})

it('splits and renames in one version, and continues a failed job', async () => {
  const team = await createTeam(idle, 3)
  for (const i of [0, 1, 2]) await team.answer(0, i, { tags: { value: ['a', 'b'] } })
  const of = { question_id: team.idOf('tags') }
  const version = await team.apply(
    { type: 'rename_label', ...of, label: 'b', value: 'B1', text: 'B1' },
    {
      type: 'split_label',
      ...of,
      label: 'a',
      into: [
        { value: 'B1', text: 'B1' },
        { value: 'x', text: 'X' },
      ],
    },
  )
  const resume = () => team.owner.post<SchemaVersion>(`${team.path}/schema/1/resume`)
  expect((await resume()).status).toBe(409)
  await idle.tool.write(failJob, { id: version.job?.id ?? '' })
  const resumed = must(await resume())
  expect(resumed.job?.id).not.toBe(version.job?.id)
  await runSteps(idle)
  await everywhere()
  expect((await team.job(resumed)).relabeled).toMatchObject({ answers: 0, due: 3 })
  expect((await resume()).status).toBe(409)
  expect(await givenValue(team, 0, 2, 'tags')).toEqual(['a', 'B1'])
  const { settings } = (await team.questions()).find(({ name }) => name === 'tags') ?? {}
  expect(settings).toMatchObject({ split: [{ from: 'a', into: ['B1', 'x'] }] })
  await team.revert(1)
  await runSteps(idle)
  await everywhere()
  expect((await responsesOf(team, 2)).get(team.users[0]?.id ?? '')).toMatchObject({
    status: 'submitted',
    values: { tags: { value: ['a', 'b'] } },
  })
})

it('follows the names of split labels, and restoring one ends the split', async () => {
  const team = await createTeam(idle, 1)
  const of = { question_id: team.idOf('label') }
  const splitNow = async () => ((await team.questions()).find(({ name }) => name === 'label') as Question).settings
  await team.apply({ type: 'split_label', ...of, label: 'a', into: ['b', 'c'].map((value) => ({ value, text: value })) })
  await runSteps(idle)
  await team.apply({ type: 'rename_label', ...of, label: 'a', value: 'old', text: 'Old' })
  await runSteps(idle)
  await team.apply({ type: 'merge_labels', ...of, labels: ['b'], into: 'd' })
  await runSteps(idle)
  expect(await splitNow()).toMatchObject({ split: [{ from: 'old', into: ['d', 'c'] }] })
  await team.apply({ type: 'restore_label', ...of, label: 'old' })
  await runSteps(idle)
  expect(await splitNow()).not.toHaveProperty('split')
  await team.answer(0, 0, { label: { value: 'a' } })
  expect((await responsesOf(team, 0)).get(team.users[0]?.id ?? '')).toMatchObject({ status: 'submitted' })
})

it('says under which version something was stored, and measures the agreement of each version', async () => {
  const team = await createTeam(idle, 2)
  const agreement = (query: string) =>
    team.owner.get<{ questions: { name: string; answers: number; units: number; value: number | null }[] }>(
      `${team.path}/agreement?fresh=true${query}`,
    )
  const labelUnits = async (query: string) => {
    const { answers, units } = must(await agreement(query)).questions.find(({ name }) => name === 'label') ?? {}
    return [answers, units]
  }
  await team.answer(0, 0, { label: { value: 'a' } })
  await team.answer(1, 0, { label: { value: 'b' } })
  const suggestion = { question_id: team.idOf('label'), value: 'a' }
  must(await team.owner.put(`/records/${team.ids[0]}/suggestions`, suggestion))
  await team.gold(0, { label: { value: 'a' } })
  const before = await team.record(0)
  expect(before.responses?.[0]).not.toHaveProperty('schema_version')
  await team.apply({ type: 'rename_label', question_id: team.idOf('label'), label: 'a', value: 'A1', text: 'A1' })
  await runSteps(idle)
  await team.answer(0, 1, { label: { value: 'A1' } })
  await team.answer(1, 1, { label: { value: 'A1' } })
  must(await team.owner.put(`/records/${team.ids[1]}/suggestions`, { ...suggestion, value: 'A1' }))
  await team.gold(1, { label: { value: 'A1' } })
  // Renaming a label doesn't change the rules under which an answer was given.
  expect((await team.record(0)).responses?.[0]).not.toHaveProperty('schema_version')
  const after = await team.record(1)
  expect(after.responses).toMatchObject([{ schema_version: 1 }, { schema_version: 1 }])
  expect(after.suggestions).toMatchObject([{ schema_version: 1 }])
  const listed = must(await team.owner.get<{ items: object[] }>(`/records/${team.ids[1]}/suggestions`))
  expect(listed.items).toMatchObject([{ schema_version: 1 }])
  expect([await team.goldOf(0), await team.goldOf(1)]).toEqual([
    expect.not.objectContaining({ schema_version: 1 }),
    expect.objectContaining({ schema_version: 1 }),
  ])
  expect([await labelUnits(''), await labelUnits('&version=0'), await labelUnits('&version=1')]).toEqual([
    [4, 2],
    [2, 1],
    [2, 1],
  ])
  expect((await agreement('&version=2')).status).toBe(404)
})

it('counts final answers that become out of date, but not those that were', async () => {
  const team = await createTeam(idle, 2)
  for (const i of [0, 1]) await team.gold(i, { label: { value: 'a' } })
  must(await team.owner.patch(`/records/${team.ids[0]}`, { fields: { text: 'another text' } }))
  expect(await team.goldOf(0)).toMatchObject({ stale: true })
  const into = ['x', 'y'].map((value) => ({ value, text: value }))
  const version = await team.apply({ type: 'split_label', question_id: team.idOf('label'), label: 'a', into })
  await runSteps(idle)
  expect((await team.job(version)).relabeled).toMatchObject({ gold: 1 })
})

it('refuses new options for a retired option of rankings that have been answered without it', async () => {
  const team = await createTeam(idle, 1)
  const of = { question_id: team.idOf('order') }
  await team.apply({ type: 'retire_label', ...of, label: 'a' })
  await team.answer(0, 0, { order: { value: ['b', 'c', 'd'].map((value, i) => ({ value, rank: i + 1 })) } })
  const into = ['x', 'y'].map((value) => ({ value, text: value }))
  expect(await team.plan({ type: 'split_label', ...of, label: 'a', into })).toMatchObject({
    refused: [{ reason_parts: [{ code: 'labelsOfRanking' }] }],
  })
})
