import type { Comment } from '@postil/contract/comments.ts'
import { copiedParts } from '@postil/contract/copied-rows.ts'
import type { Gold } from '@postil/contract/gold.ts'
import type { SavedView } from '@postil/contract/saved-views.ts'
import type { SchemaVersion } from '@postil/contract/schema-versions.ts'
import type { Client } from '@postil/testkit/client.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bootIdleServer, type IdleServer } from '#features/jobs/testing/idle-server.ts'
import { must } from '#features/queue/testing/team.ts'
import { recount } from '#features/records/service.ts'
import { createCheckedTeam, work } from '#features/review/testing/checked-team.ts'
import { createTeam, responsesOf, runSteps, type TeamOfLabels } from '#features/schema-versions/testing/team.ts'
import { migrate } from './service.ts'

let source: IdleServer
let target: IdleServer
beforeAll(async () => {
  const boot = () => bootIdleServer(new URL('../schema-versions/testing/operations.ts', import.meta.url))
  source = await boot()
  target = await boot()
})
afterAll(async () => {
  expect(await recount(target.server.app.ctx)).toEqual([])
  await source.close()
  await target.close()
})

const copy = () =>
  migrate(target.server.app.ctx, target.server.owner, {
    url: source.server.url,
    apiKey: source.server.owner.api_key,
    wanted: { datasets: [], workspaces: [] },
    passwords: { passwordOf: async () => 'a password' },
    onProgress: () => {},
    onRetry: () => {},
  })
const expectNothingLeftOut = async () => {
  const { equal, left_out } = await copy()
  expect({ left_out, equal }).toEqual({ left_out: [], equal: true })
}

type Team = Pick<TeamOfLabels, 'path' | 'ids' | 'users'>

/**
 * Returns the data of a dataset that reviewers and leads see. The owners of the two servers have different IDs, so their IDs are
 * replaced.
 */
const seen = async ({ server }: IdleServer, { path, ids, users }: Team) => {
  const owner = server.clientFor(server.owner)
  const get = async (url: string, client: Client = owner) => must(await client.get<object>(url))
  const ofRecords = async (part: string) => {
    const all: object[] = []
    for (const id of ids) {
      const { status, body } = await owner.get<object>(`/records/${id}/${part}`)
      if (status === 200) all.push(body)
    }
    return all
  }
  const versions = must(await owner.get<{ items: SchemaVersion[] }>(`${path}/schema-versions`)).items
  const { items: snapshots } = must(await owner.get<{ items: { name: string }[] }>(`${path}/snapshots`))
  const then: string[] = []
  for (const { name } of snapshots)
    then.push(must(await owner.get<string>(`${path}/records/download?format=jsonl&at=${encodeURIComponent(name)}`)))
  const everything = {
    settings: await get(`${path}/review-settings`),
    comparisons: await ofRecords('comparison'),
    comments: await ofRecords('comments'),
    versions: versions.map(({ job: _, ...version }) => version),
    diffs: await Promise.all(versions.map(({ no }) => get(`${path}/schema-versions/${no}/diff`))),
    questions: await get(`${path}/questions`),
    snapshots,
    then,
    mentions: await Promise.all(users.map((user) => get('/me/mentions', server.clientFor(user)))),
    texts: await Promise.all(users.map((user) => get(`/me${path}/seen-version`, server.clientFor(user)))),
  }
  const text = JSON.stringify(everything).replaceAll(server.owner.id, 'owner')
  return JSON.parse(text.replace(/"updated_at":"[^"]*","settings"/g, '"settings"')) as typeof everything
}
const histories = async ({ server }: IdleServer, { ids }: Team) => {
  const all: object[] = []
  for (const id of ids) {
    const { status, body } = await server.clientFor(server.owner).get<{ items: object[] }>(`/records/${id}/history?limit=100`)
    if (status === 200) all.push(body.items)
  }
  return JSON.parse(JSON.stringify(all).replaceAll(server.owner.id, 'owner')) as object
}

const comment = async (team: TeamOfLabels, user: number, record: number, body: object) =>
  must(await team.as(user).post<Comment>(`/records/${team.ids[record]}/comments`, body))

it('copies reviews, comments, label changes, history and snapshots with their people and times', async () => {
  const team = await createTeam(source, 8)
  const { owner, path, ids, users } = team
  const [first, second] = users.map(({ username }) => username)
  must(
    await owner.put(`${path}/review-settings`, {
      mode: 'disagreements',
      reviewers: [users[0]?.id],
      auto: { unanimous: true },
      below: { label: 0.5 },
    }),
  )
  await team.answer(0, 0, { tags: { value: ['a'] } })
  await team.answer(1, 0, { label: { value: 'a' } })
  await team.answer(0, 1, { note: { value: 'first' } })
  await team.answer(1, 2, { tags: { value: ['b', 'c'] } })
  await team.gold(0, { label: { value: 'a' } })
  await team.gold(0, { label: { value: 'd' } }, 1)
  await team.gold(1, { label: { value: 'b' } })
  must(await owner.post(`${path}/snapshots`, { name: 'before the change' }))
  const thread = await comment(team, 0, 0, { text: `What do you think, @${second}?`, about: { question: 'label' } })
  await comment(team, 1, 0, { text: `It is right, @${first}.`, parent: thread.id })
  const resolved = await comment(team, 2, 1, { text: 'Resolved' })
  must(await team.as(1).patch(`/records/${resolved.record_id}/comments/${resolved.id}`, { resolved: true }))
  const answered = await comment(team, 0, 2, { text: 'Deleted', about: { span: { field: 'text', start: 0, end: 4 } } })
  await comment(team, 1, 2, { text: 'A reply', parent: answered.id })
  must(await team.as(0).delete(`/records/${answered.record_id}/comments/${answered.id}`))
  await team.apply({ type: 'edit_guidelines', text: 'Read the text twice.' })
  must(await team.as(0).put(`/me${path}/seen-version`, { version: 1 }))
  await team.apply({ type: 'rename_label', question_id: team.idOf('tags'), label: 'a', value: 'A1', text: 'A1' })
  await runSteps(source)
  const answer = (await responsesOf(team, 1)).get(users[0]?.id ?? '')
  must(await team.as(0).put(`/responses/${answer?.id}`, { status: 'submitted', values: { label: { value: 'c' } } }))
  must(await owner.delete(`${path}/records?ids=${ids[2]},${ids[7]}`))
  must(await owner.post(`${path}/records/bulk`, { items: [{ fields: { text: 'added later' } }] }))
  must(await owner.post(`${path}/snapshots`, { name: 'after it' }))

  await expectNothingLeftOut()
  const expected = await seen(source, team)
  expect(expected.then.map((rows) => rows.trim().split('\n').length)).toEqual([7, 8])
  expect(expected.comparisons.filter((one) => (one as { gold: Gold | null }).gold !== null)).toHaveLength(2)
  expect(await seen(target, team)).toEqual(expected)
  expect(await histories(target, team)).toEqual(await histories(source, team))
  // A second run changes nothing.
  await expectNothingLeftOut()
  expect(await seen(target, team)).toEqual(expected)
  expect(await histories(target, team)).toEqual(await histories(source, team))

  // Changes made later are copied by the next run.
  await team.gold(1, { label: { value: 'd' } }, 1)
  await team.gold(3, { label: { value: 'a' } })
  must(await team.as(0).patch(`/records/${thread.record_id}/comments/${thread.id}`, { text: 'Edited', resolved: true }))
  await comment(team, 2, 3, { text: `Look, @${first}` })
  await team.answer(2, 3, { tags: { value: ['b'] } })
  const changed = (await responsesOf(team, 0)).get(users[1]?.id ?? '')
  must(await team.as(1).put(`/responses/${changed?.id}`, { status: 'submitted', values: { label: { value: 'b' } } }))
  must(await owner.patch(`/records/${ids[4]}`, { fields: { text: 'another text' } }))
  await team.apply({ type: 'rename_label', question_id: team.idOf('label'), label: 'd', value: 'D1', text: 'D1' })
  await runSteps(source)
  must(await owner.post(`${path}/snapshots`, { name: 'the last one' }))
  await expectNothingLeftOut()
  expect(await runSteps(target)).toBe('finished')
  expect(await seen(target, team)).toEqual(await seen(source, team))
})

it('copies test items and the people who get them, so that results stay the same', async () => {
  const team = await createCheckedTeam(source.server, 4, 8)
  expect(await work(team, 6, 'no')).toContain('test')
  await expectNothingLeftOut()
  const path = `${team.path}/checks`
  const { server } = target
  expect(must(await server.clientFor(server.owner).get(path))).toEqual(await team.results())
  expect(JSON.stringify(await team.results())).toContain(team.cyd.id)
  await expectNothingLeftOut()
  expect(must(await server.clientFor(server.owner).get(path))).toEqual(await team.results())
})

it('assigns the work to the users who have the same names here', async () => {
  const team = await createTeam(source, 1)
  const { username } = team.users[0] ?? { username: '' }
  const here = await target.server.createUser({ username })
  await team.answer(0, 0, {})
  must(await team.owner.put(`${team.path}/review-settings`, { mode: 'all', reviewers: [team.users[0]?.id], own_answers: true }))
  const gold = { mutation_id: crypto.randomUUID(), base_version: null, values: { label: { value: 'a', source: 'adjudicated' } } }
  must(await team.as(0).put(`/records/${team.ids[0]}/gold`, gold))
  await comment(team, 1, 0, { text: `@${username}, look` })
  await copy()
  const { server } = target
  const owner = server.clientFor(server.owner)
  const by = { id: here.id, username }
  expect(must(await owner.get(`/records/${team.ids[0]}/comparison`))).toMatchObject({
    gold: { by, values: { label: { by } } },
    answers: [{ by }],
  })
  expect(must(await owner.get(`${team.path}/review-settings`))).toMatchObject({ reviewers: [by] })
  expect(must(await owner.get(`/records/${team.ids[0]}/comments`))).toMatchObject({ items: [{ mentions: [by] }] })
  expect(must(await server.clientFor(here).get('/me/mentions'))).toMatchObject({ items: [{ record_id: team.ids[0] }] })
})

it('copies the view that selects test items, even a private view of another person, with the ID that it has here', async () => {
  const team = await createCheckedTeam(source.server, 1, 1)
  const { owner, path, workspace_id } = team
  const lead = await source.server.createUser({ role: 'admin', workspaces: [workspace_id] })
  const body = { name: 'Test items', query: 'page=1&status=submitted&search=text~all' }
  const view = must(await team.as(lead).post<SavedView>(`${path}/views`, body))
  const choose = (view_id: string) => team.as(lead).put(`${path}/review-settings`, { checks: { every: 3, view_id } })
  must(await choose(view.id))
  await expectNothingLeftOut()
  const { server } = target
  const here = server.clientFor(server.owner)
  const checks = async () => must(await here.get<{ checks: object | null }>(`${path}/review-settings`)).checks
  expect(await checks()).toMatchObject({ every: 3, view_id: view.id, view_name: body.name })
  expect(must(await here.get(`${path}/checks`))).toMatchObject({ available: 1 })

  // On the target server, the same person has created a view with the same name.
  const second = must(await team.as(lead).post<SavedView>(`${path}/views`, { ...body, name: 'Second' }))
  const leadHere = must(await here.get<{ items: { id: string; username: string }[] }>('/users')).items.find(
    ({ username }) => username === lead.username,
  )
  const same = must(
    await server.clientFor({ ...lead, ...leadHere }).post<SavedView>(`${path}/views`, { ...body, name: 'Second' }),
  )
  must(await choose(second.id))
  await expectNothingLeftOut()
  expect(await checks()).toMatchObject({ view_id: same.id, view_name: 'Second' })
  must(await owner.put(`${path}/review-settings`, {}))
})

it('keeps what is newer here, and leaves out snapshots of other records', async () => {
  const team = await createTeam(source, 2)
  await team.answer(0, 0, {})
  await team.gold(0, { label: { value: 'a' } })
  await expectOnlyOthersLeftOut([])
  const { server } = target
  const owner = server.clientFor(server.owner)
  const gold = (value: string) => ({
    mutation_id: crypto.randomUUID(),
    base_version: 1,
    values: { label: { value, source: 'adjudicated' } },
  })
  must(await owner.put(`/records/${team.ids[0]}/gold`, gold('b')))
  must(await owner.post(`${team.path}/records/bulk`, { items: [{ fields: { text: 'only here' } }] }))
  must(await team.owner.post(`${team.path}/records/bulk`, { items: [{ fields: { text: 'only there' } }] }))
  must(await team.owner.post(`${team.path}/snapshots`, { name: 'other records' }))
  await expectOnlyOthersLeftOut(["the snapshot 'other records'"])
  const { gold: kept } = must(await owner.get<{ gold: Gold }>(`/records/${team.ids[0]}/comparison`))
  expect(kept).toMatchObject({ version: 2, values: { label: { value: 'b' } } })
})
const expectOnlyOthersLeftOut = async (parts: readonly string[]) =>
  expect((await copy()).left_out.map(({ part }) => part)).toEqual(parts)

it('lists rows page by page, only for owners', async () => {
  const team = await createTeam(source, 5)
  const path = `${team.path}/copied-rows?part=records`
  type Page = { readonly items: { readonly id: string }[]; readonly next: string | null }
  const one = must(await team.owner.get<Page>(`${path}&limit=3`))
  const two = must(await team.owner.get<Page>(`${path}&limit=3&after=${encodeURIComponent(one.next ?? '')}`))
  expect([...one.items, ...two.items].map(({ id }) => id)).toEqual(team.ids)
  expect(two.next).toBeNull()
  for (const part of copiedParts) expect((await team.owner.get(`${team.path}/copied-rows?part=${part}`)).status).toBe(200)
  for (const after of ['x', '1 2', "1' or 1=1"])
    expect((await team.owner.get(`${path}&after=${encodeURIComponent(after)}`)).status).toBe(422)
  expect((await team.as(0).get(path)).status).toBe(403)
})
