import type { Snapshot } from '@postil/contract/snapshots.ts'
import { detail } from '@postil/testkit/detail.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bootIdleServer, type IdleServer } from '#features/jobs/testing/idle-server.ts'
import { must } from '#features/queue/testing/team.ts'
import { createTeam, responsesOf, runSteps, type TeamOfLabels } from '#features/schema-versions/testing/team.ts'
import { readTime } from '#platform/time.ts'
import { existedAt } from './rows.ts'

let idle: IdleServer
beforeAll(async () => {
  idle = await bootIdleServer(new URL('../schema-versions/testing/operations.ts', import.meta.url))
})
afterAll(() => idle.close())

type Row = { readonly [column: string]: unknown }
const rowsOf = async ({ owner, path }: TeamOfLabels, query = ''): Promise<Row[]> => {
  const text = must(await owner.get<string>(`${path}/records/download?format=jsonl${query}`)) ?? ''
  return text
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row)
}
const then = (team: TeamOfLabels, name: string, query = '') => rowsOf(team, `&at=${encodeURIComponent(name)}${query}`)
const snap = async ({ owner, path }: TeamOfLabels, name: string) =>
  must(await owner.post<Snapshot>(`${path}/snapshots`, { name }))
/** Replaces an answer. */
const change = async (team: TeamOfLabels, user: number, record: number, values: object) => {
  const found = (await responsesOf(team, record)).get(team.users[user]?.id ?? '')
  must(await team.as(user).put(`/responses/${found?.id}`, { status: 'submitted', values: { label: { value: 'd' }, ...values } }))
}
const unknownThen = (column: string) =>
  ['status', 'updated_at'].includes(column) || /\.suggestion(\.|$)|\.agreement$|^vector\./u.test(column)
/** The rows without the columns that a snapshot can't provide. */
const known = (rows: readonly Row[]): Row[] =>
  rows.map((row) => Object.fromEntries(Object.entries(row).filter(([column]) => !unknownThen(column))))

it('contains records, answers and final answers as they were, whatever happens later', async () => {
  const team = await createTeam(idle, 8)
  const { owner, path, ids } = team
  await team.answer(0, 0, { tags: { value: ['a'] } })
  await team.answer(1, 0, { tags: { value: ['b'] } }, 'draft')
  await team.answer(0, 1, { note: { value: 'first' } })
  await team.answer(2, 3, {})
  await team.answer(1, 4, {})
  await team.gold(0, { label: { value: 'd' } })
  must(await owner.patch(`/records/${ids[2]}`, { metadata: { language: 'en' } }))
  const before = known(await rowsOf(team))
  const snapshot = await snap(team, 'before')
  expect(snapshot.user).toMatchObject({ username: idle.server.owner.username })

  // Every kind of change: answers, records, final answers and labels are added, changed and deleted.
  await change(team, 0, 0, { tags: { value: ['c'] } })
  await change(team, 0, 0, { tags: { value: ['d'] } })
  await change(team, 1, 0, {})
  await team.answer(2, 0, {})
  const answer = (await responsesOf(team, 3)).get(team.users[2]?.id ?? '')
  must(await team.as(2).delete(`/responses/${answer?.id}`))
  await team.answer(2, 3, { note: { value: 'again' } })
  must(await owner.patch(`/records/${ids[2]}`, { metadata: { language: 'de' } }))
  must(await owner.patch(`/records/${ids[2]}`, { fields: { text: 'another text of a record' } }))
  await team.gold(0, { label: { value: 'a' } }, 1)
  await team.gold(1, { label: { value: 'b' } })
  must(await owner.delete(`${path}/records?ids=${ids[4]},${ids[7]}`))
  must(await owner.post(`${path}/records/bulk`, { items: [{ fields: { text: 'a new record' } }] }))
  const rename = { type: 'rename_label', question_id: team.idOf('tags'), label: 'a', value: 'A1', text: 'A1' } as const
  await team.apply(rename)
  await runSteps(idle)
  must(await owner.patch(path, { name: undefined, guidelines: 'new' }))

  const found = await then(team, 'before')
  expect(found.map((row) => row['_server_id'])).toEqual(ids)
  expect(found.every((row) => Object.keys(row).every((column) => !unknownThen(column)))).toBe(true)
  expect(found).toEqual(before)
  expect(await then(team, snapshot.id)).toEqual(before)
  expect(known(await rowsOf(team))).not.toEqual(before)
  // A later snapshot contains the changes.
  const now = known(await rowsOf(team))
  await snap(team, 'after')
  await team.answer(0, 5, {})
  expect(await then(team, 'after')).toEqual(now)
  expect((await then(team, 'before', `&after=${ids[5]}`)).map((row) => row['_server_id'])).toEqual(ids.slice(6))
})

detail('reads large snapshots in batches, including many records that were deleted later', async () => {
  const team = await createTeam(idle, 1300)
  const { owner, path, ids } = team
  await snap(team, 'all')
  for (let from = 100; from < 1300; from += 100)
    must(await owner.delete(`${path}/records?ids=${ids.slice(from, from + 90).join(',')}`))
  expect((await then(team, 'all')).map((row) => row['_server_id'])).toEqual(ids)
})

it('is consistent during concurrent changes', async () => {
  const team = await createTeam(idle, 30)
  const writing = ids30(team).map((i) => team.answer(0, i, { note: { value: 'first' } }))
  const snapshots = await Promise.all([0, 1, 2].map((i) => snap(team, `moment ${i}`)))
  await Promise.all(writing)
  const counts: number[] = []
  for (const { name } of snapshots) {
    const found = await then(team, name)
    counts.push(found.filter((row) => row['note.responses'] !== null).length)
  }
  for (const i of ids30(team)) await change(team, 0, i, { note: { value: 'second' } })
  for (const [at, { name }] of snapshots.entries()) {
    const found = await then(team, name)
    const answered = found.filter((row) => row['note.responses'] !== null)
    expect(answered).toHaveLength(counts[at] ?? -1)
    expect(answered.every((row) => JSON.stringify(row['note.responses']) === '["first"]')).toBe(true)
  }
})
const ids30 = ({ ids }: TeamOfLabels) => ids.map((_, i) => i)

it('refuses unknown names, searches, other formats and callers without access', async () => {
  const team = await createTeam(idle, 1)
  await snap(team, 'one')
  const get = (query: string) => team.owner.get<{ detail: string }>(`${team.path}/records/download?format=jsonl&${query}`)
  expect((await get('at=missing')).status).toBe(404)
  expect(await get(`at=one&search=${encodeURIComponent('{}')}`)).toMatchObject({ status: 422 })
  expect((await team.owner.get(`${team.path}/records/download?format=agreement&at=one`)).status).toBe(422)
  expect((await team.as(0).get(`${team.path}/records/download?format=jsonl&at=one`)).status).toBe(403)
})

it('is listed, renamed and deleted, and is deleted with its dataset', async () => {
  const team = await createTeam(idle, 1)
  const { owner, path } = team
  const first = await snap(team, 'first')
  const second = await snap(team, 'second')
  const list = async () => must(await owner.get<{ items: Snapshot[] }>(`${path}/snapshots`)).items
  expect((await list()).map(({ name }) => name)).toEqual(['second', 'first'])
  expect((readTime(first.at) ?? 0) < (readTime(second.at) ?? 0)).toBe(true)
  expect(await owner.post(`${path}/snapshots`, { name: 'first' })).toMatchObject({ status: 409 })
  expect(must(await owner.patch<Snapshot>(`${path}/snapshots/${first.id}`, { name: 'renamed' })).name).toBe('renamed')
  expect(await then(team, 'renamed')).toHaveLength(1)
  must(await owner.delete(`${path}/snapshots/${second.id}`))
  expect((await list()).map(({ name }) => name)).toEqual(['renamed'])
})

it('uses the time in the ID of an answer, because an imported answer has the time of its annotation', () => {
  const at = Date.parse('2026-01-02') * 1000
  const id = (ms: number) => {
    const hex = ms.toString(16).padStart(12, '0')
    return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
  }
  const long = at - 1e12
  expect(existedAt({ id: id(at / 1000 - 1), inserted_at: long }, at)).toBe(true)
  expect(existedAt({ id: id(at / 1000), inserted_at: long }, at)).toBe(false)
  expect(existedAt({ id: crypto.randomUUID(), inserted_at: long }, at)).toBe(true)
  expect(existedAt({ id: crypto.randomUUID(), inserted_at: at }, at)).toBe(false)
})
