import type { AnnotationSetup } from '@postil/contract/annotation-setup.ts'
import type { SchemaDiff, TextChanges } from '@postil/contract/schema-versions.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bootIdleServer, type IdleServer } from '#features/jobs/testing/idle-server.ts'
import { must } from '#features/queue/testing/team.ts'
import { createTeam, runSteps, type TeamOfLabels } from './testing/team.ts'

let idle: IdleServer
beforeAll(async () => {
  idle = await bootIdleServer(new URL('./testing/operations.ts', import.meta.url))
})
afterAll(() => idle.close())

const setGuidelines = async ({ owner, path }: TeamOfLabels, guidelines: string | null) =>
  must(await owner.patch(path, { guidelines }))
const guidelinesOf = async ({ owner, path }: TeamOfLabels) =>
  must(await owner.get<{ guidelines: string | null }>(path)).guidelines
const diffOf = async ({ owner, path }: TeamOfLabels, no: number) =>
  must(await owner.get<SchemaDiff>(`${path}/schema-versions/${no}/diff`))
const seenBy = (team: TeamOfLabels, user: number) => {
  const path = `/me/datasets/${team.dataset}`
  return {
    changes: async () => {
      const { text_changes } = must(await team.as(user).get<{ text_changes: TextChanges | null }>(`${path}/seen-version`))
      expect(must(await team.as(user).get<AnnotationSetup>(`${path}/annotation`)).text_changes).toEqual(text_changes)
      return text_changes
    },
    see: async (version: number) =>
      must(await team.as(user).put<{ version: number }>(`${path}/seen-version`, { version })).version,
  }
}

it('makes a version of edited guidelines and descriptions, with both texts', async () => {
  const team = await createTeam(idle, 1)
  await setGuidelines(team, 'Read the whole text.')
  await setGuidelines(team, 'Read the whole text.')
  must(await team.owner.patch(`/questions/${team.idOf('label')}`, { description: 'The main topic' }))
  must(await team.owner.patch(`/questions/${team.idOf('label')}`, { title: 'Topic' }))
  expect(await team.versions()).toMatchObject([
    { no: 2, changes: [{ type: 'edit_description', question_id: team.idOf('label') }], questions: [], job: null },
    { no: 1, changes: [{ type: 'edit_guidelines' }], questions: [], job: null, revertible: true },
  ])
  expect(await diffOf(team, 1)).toEqual({
    no: 1,
    guidelines: { before: null, after: 'Read the whole text.' },
    descriptions: [],
    questions: [],
  })
  expect((await diffOf(team, 2)).descriptions).toEqual([
    { question_id: team.idOf('label'), before: null, after: 'The main topic' },
  ])
  expect((await team.owner.get(`${team.path}/schema-versions/3/diff`)).status).toBe(404)
  // Drafts have no versions.
  const draft = await idle.server.createDataset({ publish: false })
  must(await team.owner.patch(`/datasets/${draft.id}`, { guidelines: 'First' }))
  expect(must(await team.owner.get<{ items: unknown[] }>(`/datasets/${draft.id}/schema-versions`)).items).toEqual([])
})

it('shows people what has changed since they last looked, until they confirm it', async () => {
  const team = await createTeam(idle, 2)
  await setGuidelines(team, 'one')
  await team.answer(0, 0, { label: { value: 'a' } })
  const [first, second] = [seenBy(team, 0), seenBy(team, 1)]
  expect(await first.changes()).toBeNull()
  await setGuidelines(team, 'two')
  must(await team.owner.patch(`/questions/${team.idOf('label')}`, { description: 'The topic' }))
  await setGuidelines(team, 'three')
  await team.apply({ type: 'retire_label', question_id: team.idOf('label'), label: 'd' })
  const description = { question_id: team.idOf('label'), before: null, after: 'The topic' }
  expect(await first.changes()).toMatchObject({
    version: 4,
    guidelines: { before: 'one', after: 'three' },
    descriptions: [description],
  })
  // A person who has never worked under earlier guidelines needs no notice.
  expect(await second.changes()).toBeNull()
  must(await team.as(1).post(`/records/${team.ids[1]}/responses`, { status: 'submitted', values: { label: { value: 'a' } } }))
  expect(await second.changes()).toBeNull()

  expect(await first.see(2)).toBe(2)
  expect(await first.changes()).toMatchObject({ guidelines: { before: 'two', after: 'three' } })
  expect(await first.see(99)).toBe(5)
  expect(await first.see(1)).toBe(5)
  expect(await first.changes()).toBeNull()
  await setGuidelines(team, 'four')
  await setGuidelines(team, 'three')
  expect(await first.changes()).toBeNull()
})

it('plans texts together with labels, and a revert restores both', async () => {
  const team = await createTeam(idle, 1)
  await setGuidelines(team, 'old')
  await team.answer(0, 0, { label: { value: 'a' } })
  const question_id = team.idOf('label')
  const changes = [
    { type: 'edit_guidelines', text: 'new' },
    { type: 'edit_description', question_id, text: 'Which one?' },
    { type: 'rename_label', question_id, label: 'a', value: 'A1', text: 'A1' },
  ] as const
  expect(await team.plan(...changes)).toMatchObject({ affected: { answers: 1 }, refused: [] })
  await team.apply(...changes)
  await runSteps(idle)
  expect(await guidelinesOf(team)).toBe('new')
  expect(await diffOf(team, 2)).toMatchObject({
    guidelines: { before: 'old', after: 'new' },
    descriptions: [{ question_id, before: null, after: 'Which one?' }],
    questions: [{ question_id }],
  })
  const unknown = crypto.randomUUID()
  expect(await team.plan({ type: 'edit_description', question_id: unknown, text: null })).toMatchObject({
    token: null,
    refused: [{ change: 0, reason_parts: [{ code: 'questionUnknown' }] }],
  })
  const { token } = await team.plan({ type: 'edit_guidelines', text: null })
  await setGuidelines(team, 'newer')
  expect((await team.owner.post(`${team.path}/schema/apply`, { token })).status).toBe(409)
  expect((await team.versions()).map(({ no, revertible }) => [no, revertible])).toEqual([
    [3, true],
    [2, false],
    [1, false],
  ])
  expect((await team.owner.post(`${team.path}/schema/2/revert`)).status).toBe(409)
  await team.revert(3)
  expect(await guidelinesOf(team)).toBe('new')
  await team.revert(2)
  await runSteps(idle)
  expect(await guidelinesOf(team)).toBe('old')
  expect((await team.questions()).find(({ id }) => id === question_id)?.description).toBeNull()
  expect(await team.labels('label')).toMatchObject({ values: ['a', 'b', 'c', 'd'] })
})
