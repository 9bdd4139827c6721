import type { Condition } from '@postil/contract/conditions.ts'
import type { SchemaChangeInput } from '@postil/contract/schema-versions.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bootIdleServer, type IdleServer } from '#features/jobs/testing/idle-server.ts'
import { must } from '#features/queue/testing/team.ts'
import { recount } from '#features/records/service.ts'
import { createTeam, runSteps } from './testing/team.ts'

let idle: IdleServer
beforeAll(async () => {
  idle = await bootIdleServer(new URL('./testing/operations.ts', import.meta.url))
})
afterAll(async () => {
  expect(await recount(idle.server.app.ctx)).toEqual([])
  await idle.close()
})

/** Creates a question that is shown for some labels only. */
const createConditionalTeam = async (shown_when: Condition) => {
  const team = await createTeam(idle, 2)
  const idOfNote = (await team.questions()).find(({ name }) => name === 'note')?.id ?? ''
  const set = async (condition: Condition) => must(await team.owner.patch(`/questions/${idOfNote}`, { shown_when: condition }))
  await set(shown_when)
  const condition = async () => (await team.questions()).find(({ name }) => name === 'note')?.shown_when
  return {
    ...team,
    idOfNote,
    set,
    condition,
    edit: (before: Condition, after: Condition) => ({ question_id: idOfNote, before, after }),
  }
}
const on = (...labels: string[]): Condition => ({
  all: [
    {
      any: [
        { question: 'label', in: labels },
        { question: 'tags', answered: true },
      ],
    },
  ],
})
const note = { note: { value: 'why' } }

it('plans list and rewrite the conditions that use labels, and a revert restores them', async () => {
  const team = await createConditionalTeam(on('a', 'b'))
  await team.answer(0, 0, { label: { value: 'a' }, ...note })
  const question_id = team.idOf('label')
  const changes: readonly SchemaChangeInput[] = [
    { type: 'rename_label', question_id, label: 'a', value: 'A1', text: 'A1' },
    { type: 'merge_labels', question_id, labels: ['b'], into: 'c' },
  ]
  const plan = await team.plan(...changes)
  expect(plan.conditions).toEqual([team.edit(on('a', 'b'), on('A1', 'c'))])
  expect(await team.condition()).toEqual(on('a', 'b'))
  const version = await team.apply(...changes)
  expect(version.changes).toContainEqual({ type: 'edit_condition', ...team.edit(on('a', 'b'), on('A1', 'c')) })
  expect(await team.condition()).toEqual(on('A1', 'c'))
  // Answers with earlier labels are accepted while the job changes answers. They are also accepted afterward, because devices
  // that were offline may send them.
  await team.answer(1, 0, { label: { value: 'a' }, ...note })
  await runSteps(idle)
  await team.answer(1, 1, { label: { value: 'b' }, ...note })
  expect(
    (
      await team
        .as(0)
        .post(`/records/${team.ids[1]}/responses`, { status: 'submitted', values: { label: { value: 'd' }, ...note } })
    ).status,
  ).toBe(422)

  await team.revert(version.no)
  await runSteps(idle)
  expect(await team.condition()).toEqual(on('a', 'b'))
})

it('a revert only restores the label names in a condition that has changed since', async () => {
  const team = await createConditionalTeam(on('a'))
  const question_id = team.idOf('label')
  const version = await team.apply({ type: 'rename_label', question_id, label: 'a', value: 'A1', text: 'A1' })
  await runSteps(idle)
  // Clients can still send the earlier label.
  await team.set(on('a', 'd'))
  expect(await team.condition()).toEqual(on('A1', 'd'))
  await team.revert(version.no)
  await runSteps(idle)
  expect(await team.condition()).toEqual(on('a', 'd'))
})

it('a split adds the new labels, and a retired label stays', async () => {
  const team = await createConditionalTeam(on('a', 'b'))
  const question_id = team.idOf('label')
  const into = ['a1', 'a2'].map((value) => ({ value, text: value }))
  await team.apply({ type: 'split_label', question_id, label: 'a', into }, { type: 'retire_label', question_id, label: 'b' })
  await runSteps(idle)
  expect(await team.condition()).toEqual(on('a', 'a1', 'a2', 'b'))
  await team.answer(0, 0, { label: { value: 'a2' }, ...note })
})

it('a plan is refused if a condition has changed since', async () => {
  const team = await createConditionalTeam(on('a'))
  const change = { type: 'rename_label', question_id: team.idOf('label'), label: 'a', value: 'A1', text: 'A1' } as const
  const { token } = await team.plan(change)
  await team.set(on('b'))
  expect((await team.owner.post(`${team.path}/schema/apply`, { token })).status).toBe(409)
})
