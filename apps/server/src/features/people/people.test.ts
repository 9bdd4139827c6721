import type { Person } from '@postil/contract/people/people.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { activated } from '#tests/api/testing/second-factor.ts'

let server: TestServer
beforeAll(async () => {
  server = await bootServer()
})
afterAll(() => server.close())

const people = async (by: { api_key: string } = server.owner): Promise<Person[]> => {
  const { status, body } = await server.clientFor(by).get<{ items: Person[] }>('/people')
  expect(status).toBe(200)
  return body.items
}
const person = async (id: string, by?: { api_key: string }) => (await people(by)).find((one) => one.id === id)

it('shows owners every user with workspaces, second factor and whether they may sign in', async () => {
  const [alpha, beta] = [await server.createWorkspace('alpha'), await server.createWorkspace('beta')]
  const user = await server.createUser({ workspaces: [beta.id, alpha.id], last_name: 'Last' })
  expect(await person(user.id)).toEqual({
    id: user.id,
    username: user.username,
    first_name: 'First',
    last_name: 'Last',
    role: 'annotator',
    active: true,
    agent: false,
    workspaces: [
      { id: alpha.id, name: 'alpha' },
      { id: beta.id, name: 'beta' },
    ],
    last_active_at: null,
    second_factor: false,
  })
  await activated(server.clientFor(user), user)
  await server.clientFor(server.owner).patch(`/users/${user.id}`, { active: false })
  expect(await person(user.id)).toMatchObject({ active: false, second_factor: true })
  expect((await people()).map(({ username }) => username)).toContain('owner')
})

it('shows admins the members of their workspaces, and of their workspaces only those they share', async () => {
  const [mine, other] = [await server.createWorkspace('mine'), await server.createWorkspace('other')]
  const admin = await server.createUser({ role: 'admin', workspaces: [mine.id] })
  const both = await server.createUser({ workspaces: [mine.id, other.id] })
  const stranger = await server.createUser({ workspaces: [other.id] })
  const seen = await people(admin)
  expect(seen.map(({ id }) => id)).toEqual([admin.id, both.id])
  expect(seen[1]?.workspaces).toEqual([{ id: mine.id, name: 'mine' }])
  expect(JSON.stringify(seen)).not.toContain(stranger.username)
  expect(JSON.stringify(seen)).not.toContain('other')
  expect((await server.clientFor(both).get('/people')).status).toBe(403)
})

it('records the last request of a user, by key, token or session, and at most once in five minutes', async () => {
  const user = await server.createUser()
  const writes: string[] = []
  server.app.ctx.watchers.add(({ name }) => writes.push(name))
  const noted = () => writes.filter((name) => name === 'auth.note_activity').length
  const before = Date.now()
  for (let i = 0; i < 20; i += 1) await server.clientFor(user).get('/me')
  const lastActive = async () => (await person(user.id))?.last_active_at
  await expect.poll(lastActive).not.toBeNull()
  const seen = await lastActive()
  expect(Math.abs(Date.parse(`${seen}Z`) - before)).toBeLessThan(60_000)
  expect((await person(user.id))?.last_active_at).toBe(seen)
  // The owner also sends requests here, but the owner's activity was already recorded in an earlier test.
  expect(noted()).toBe(1)
})

it('is not affected by a wrong key', async () => {
  const user = await server.createUser()
  expect((await server.clientFor({ api_key: `${user.api_key}x` }).get('/me')).status).toBe(401)
  expect((await person(user.id))?.last_active_at).toBeNull()
})
