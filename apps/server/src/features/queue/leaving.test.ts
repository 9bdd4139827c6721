import type { TestServer } from '@postil/testkit/boot.ts'
import { lockUser } from '@postil/testkit/named-locks.ts'
import pg from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type Annotator, bootQueue, makeTeam, must } from './testing/team.ts'

let server: TestServer
beforeAll(async () => {
  server = await bootQueue()
})
afterAll(() => server.close())

const ours = { 'sec-fetch-site': 'same-origin', 'x-postil-csrf': '1' }

/** Signs the annotator in as a browser does. */
const signIn = async ({ user: { username, password } }: Annotator) => {
  const { headers } = await server.clientFor(null).post('/session', { username, password }, ours)
  return { ...ours, cookie: headers.get('set-cookie')?.split(';')[0] ?? '' }
}

/** Creates two datasets with one record each. Each record is leased to Ann and goes to Bob when she releases it. */
const heldRecords = async () => {
  const teams = [
    await makeTeam(server, { records: 1, target: 1, members: 2 }),
    await makeTeam(server, { records: 1, target: 1, members: 1 }),
  ]
  const [first, second] = teams as [(typeof teams)[0], (typeof teams)[0]]
  const [ann, bob] = first.members as [Annotator, Annotator]
  const other = second.members[0] as Annotator
  const owner = server.clientFor(server.owner)
  const { workspace_id } = must(await owner.get<{ workspace_id: string }>(`/datasets/${second.dataset}`))
  must(await owner.post(`/workspaces/${workspace_id}/users`, { user_id: ann.user.id }))
  const seen = async () => ({ here: (await bob.next()).left, there: (await other.next()).left })
  expect((await ann.next()).ids).toEqual(first.ids)
  must(await ann.client.post(`/me/datasets/${second.dataset}/queue`, { limit: 1 }))
  return { ann, workspace_id, owner, seen }
}

it('leases are released when the user’s last session ends, and not before', async () => {
  const { ann, seen } = await heldRecords()
  const [one, two] = [await signIn(ann), await signIn(ann)]
  must(await server.clientFor(null).delete('/session', undefined, one))
  expect(await seen()).toEqual({ here: 0, there: 0 })
  must(await server.clientFor(null).delete('/session', undefined, two))
  expect(await seen()).toEqual({ here: 1, there: 1 })
})

it('leases are released when the user ends the last listed session, or all of them', async () => {
  const listed = await heldRecords()
  const cookie = await signIn(listed.ann)
  const { items } = must(await server.clientFor(null).get<{ items: { id: string }[] }>('/me/sessions', cookie))
  must(await server.clientFor(null).delete(`/me/sessions/${items[0]?.id}`, undefined, cookie))
  expect(await listed.seen()).toEqual({ here: 1, there: 1 })
  const all = await heldRecords()
  const browser = await signIn(all.ann)
  await signIn(all.ann)
  must(await server.clientFor(null).delete('/session/all', undefined, browser))
  expect(await all.seen()).toEqual({ here: 1, there: 1 })
})

it('leases are released when an owner signs a user out, which ends sessions and tokens', async () => {
  const { ann, owner, seen } = await heldRecords()
  const cookie = await signIn(ann)
  const path = `/users/${ann.user.id}/sessions`
  expect((await ann.client.delete(path)).status).toBe(403)
  expect(await seen()).toEqual({ here: 0, there: 0 })
  must(await owner.delete(path))
  expect((await server.clientFor(null).get('/me', cookie)).status).toBe(401)
  expect((await ann.client.get('/me')).status).toBe(200)
  expect(await seen()).toEqual({ here: 1, there: 1 })
  type Entry = { items: { action: string; target: { id: string } }[] }
  const { items } = must(await owner.get<Entry>('/audit?limit=5'))
  expect(items.map(({ action, target }) => [action, target.id])).toContainEqual(['users.delete_sessions', ann.user.id])
})

it('leases are released on deactivation, and in one workspace on removal from it', async () => {
  const { ann, owner, workspace_id, seen } = await heldRecords()
  must(await owner.delete(`/workspaces/${workspace_id}/users/${ann.user.id}`))
  expect(await seen()).toEqual({ here: 0, there: 1 })
  const away = await heldRecords()
  must(await away.owner.patch(`/users/${away.ann.user.id}`, { active: false }))
  expect(await away.seen()).toEqual({ here: 1, there: 1 })
})

// Runs only on PostgreSQL, because the embedded database has a single writer
const onPostgres = it.runIf(process.env['POSTIL_TEST_ENGINE'] === 'postgres')

/**
 * Creates a team of two with one record. Requests Ann's next record while another transaction holds the lock on Ann's user row.
 * Every command that changes a user takes this lock. `waits` resolves when the given number of statements are waiting for a lock.
 * `over` commits the transaction.
 * @param holding returns a statement that the transaction runs after it has locked Ann's row
 */
const whileLocked = async (holding: (ann: Annotator) => string) => {
  const { dataset, members } = await makeTeam(server, { records: 1, target: 1, members: 2 })
  const [ann, bob] = members as [Annotator, Annotator]
  const owner = server.clientFor(server.owner)
  const { workspace_id } = must(await owner.get<{ workspace_id: string }>(`/datasets/${dataset}`))
  const [sql, watch] = [0, 1].map(() => new pg.Client({ connectionString: server.app.ctx.config.databaseUrl })) as [
    pg.Client,
    pg.Client,
  ]
  await Promise.all([sql.connect(), watch.connect()])
  await sql.query('begin')
  await sql.query(lockUser(ann.user.id))
  await sql.query(holding(ann))
  const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  const waits = (n: number) =>
    vi.waitFor(async () => expect((await watch.query(waiting)).rows).toHaveLength(n), { timeout: 10_000, interval: 50 })
  const asked = ann.next().catch(() => null)
  await waits(1)
  const over = async () => {
    await sql.query('commit')
    await Promise.all([sql.end(), watch.end()])
    return asked
  }
  return { ann, bob, owner, workspace_id, waits, over }
}

onPostgres.each([
  ['deleted', ({ user }: Annotator) => `delete from users where id = '${user.id}'`],
  ['deactivated', ({ user }: Annotator) => `update users set deactivated_at = 1 where id = '${user.id}'`],
  ['removed from the workspace', ({ user: { id } }: Annotator) => `delete from memberships where user_id = '${id}'`],
])('no record is assigned to a user who is %s at the same time', async (_, holding) => {
  const { bob, over } = await whileLocked(holding)
  expect((await over())?.ids ?? []).toEqual([])
  expect((await bob.next()).ids).toHaveLength(1)
})

onPostgres('a user who is removed from the workspace at the same time releases the record that is being assigned', async () => {
  const held = await whileLocked(() => 'select 1')
  const removal = held.owner.delete(`/workspaces/${held.workspace_id}/users/${held.ann.user.id}`)
  await Promise.race([removal, held.waits(2)])
  await held.over()
  must(await removal)
  expect((await held.bob.next()).ids).toHaveLength(1)
})
