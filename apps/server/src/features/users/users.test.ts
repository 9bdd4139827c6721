import type { User } from '@postil/contract/people/users.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'

let server: TestServer
let admin: TestUser
let annotator: TestUser
beforeAll(async () => {
  server = await bootServer()
  const workspace = await server.createWorkspace()
  admin = await server.createUser({ role: 'admin', username: 'ada', workspaces: [workspace.id] })
  annotator = await server.createUser({ username: 'anna', workspaces: [workspace.id] })
})
afterAll(() => server.close())

const owner = () => server.clientFor(server.owner)
const nobodysId = '00000000-0000-4000-8000-000000000000'
const spec = (more: object) => ({ first_name: 'First', username: `user ${Math.random()}`, password: 'long enough', ...more })
const forbidden = { status: 403, body: { detail: { code: 'argilla.api.errors::ForbiddenOperationError' } } }
const refusedAt = (type: string, key: string) => ({
  status: 422,
  body: { detail: { params: { errors: [{ type, loc: ['body', key] }] } } },
})

describe('creating a user', () => {
  it('returns the user with a generated API key, as an annotator by default', async () => {
    const sent = {
      first_name: '  Zoë  ',
      last_name: ' O ',
      username: ' spaced ',
      password: 'of eight',
      enabled: true,
      api_key: 'mine',
    }
    const { status, body } = await owner().post<User>('/users', sent)
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(String),
      first_name: 'Zoë',
      last_name: 'O',
      username: ' spaced ',
      role: 'annotator',
      api_key: expect.stringMatching(/^[\w-]{107}$/),
      active: true,
      agent: false,
      inserted_at: expect.any(String),
      updated_at: body.inserted_at,
    })
    expect(await server.clientFor(body).get('/me')).toMatchObject({ status: 200, body })
  })

  it('accepts an ID, and null for optional values', async () => {
    const id = '01A1FD3B1F0370AABE00000000360585'
    const sent = spec({ id, last_name: null, role: null })
    const answer = await owner().post<User>('/users', sent)
    expect(answer).toMatchObject({
      status: 201,
      body: { id: '01a1fd3b-1f03-70aa-be00-000000360585', last_name: null, role: 'annotator' },
    })
    expect(await owner().post('/users', spec({ id }))).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('01a1fd3b-1f03-70aa-be00-000000360585') },
    })
  })

  it('rejects a taken name, with case-sensitive names', async () => {
    await owner().post('/users', spec({ username: 'Case' }))
    expect(await owner().post('/users', spec({ username: 'Case' }))).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('Case') },
    })
    expect((await owner().post('/users', spec({ username: 'case' }))).status).toBe(201)
  })

  it('lets only one of many concurrent requests have a name', async () => {
    const username = 'wanted by many'
    const answers = await Promise.all(Array.from({ length: 8 }, () => owner().post('/users', spec({ username }))))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 7 }, () => 409)])
  })

  test.each([
    [{ first_name: '  ' }, 'string_too_short', 'first_name'],
    [{ first_name: undefined }, 'missing', 'first_name'],
    [{ last_name: ' ' }, 'string_too_short', 'last_name'],
    [{ username: '' }, 'string_too_short', 'username'],
    [{ username: 7 }, 'string_type', 'username'],
    [{ username: 'a\0b' }, 'value_error', 'username'],
    [{ password: '1234567' }, 'string_too_short', 'password'],
    [{ password: 'x'.repeat(101) }, 'string_too_long', 'password'],
    [{ role: 'king' }, 'enum', 'role'],
    [{ id: 'x' }, 'uuid_parsing', 'id'],
  ])('rejects %j', async (more, type, key) => {
    expect(await owner().post('/users', spec(more))).toMatchObject(refusedAt(type, key))
  })
})

describe('reading users', () => {
  it('lists all users to owners, oldest first', async () => {
    const { body } = await owner().get<{ items: User[] }>('/users')
    expect(body.items.slice(0, 3).map(({ username }) => username)).toEqual(['owner', 'ada', 'anna'])
    expect(body.items.find(({ id }) => id === annotator.id)?.api_key).toBe(annotator.api_key)
  })

  it('returns one user, or 404', async () => {
    const { password: _, ...shown } = annotator
    expect(await owner().get(`/users/${annotator.id}`)).toMatchObject({ status: 200, body: shown })
    expect(await owner().get(`/users/${nobodysId}`)).toMatchObject({
      status: 404,
      body: { detail: expect.stringContaining(nobodysId) },
    })
  })

  it('shows every user their own data', async () => {
    expect(await server.clientFor(annotator).get('/me')).toMatchObject({
      status: 200,
      body: { id: annotator.id, api_key: annotator.api_key },
    })
  })
})

describe('changing a user', () => {
  it('keeps omitted values, clears the last name, and changes updated_at only for an actual change', async () => {
    const user = await server.createUser({ first_name: 'Old', last_name: 'Name' })
    const one = await owner().patch<User>(`/users/${user.id}`, { first_name: 'New', id: nobodysId, inserted_at: 'x' })
    expect(one.body).toEqual({ ...one.body, id: user.id, first_name: 'New', last_name: 'Name', username: user.username })
    expect(one.body.updated_at > user.updated_at).toBe(true)
    const two = await owner().patch<User>(`/users/${user.id}`, { first_name: 'New', username: user.username, role: 'annotator' })
    expect(two.body).toEqual(one.body)
    expect(await owner().patch<User>(`/users/${user.id}`, {})).toMatchObject({ status: 200, body: one.body })
    expect((await owner().patch<User>(`/users/${user.id}`, { last_name: null, role: 'admin' })).body).toMatchObject({
      last_name: null,
      role: 'admin',
    })
  })

  it('rejects null for required values, naming the keys', async () => {
    const answer = await owner().patch(`/users/${annotator.id}`, { username: null, role: null })
    expect(answer).toMatchObject({
      status: 422,
      body: {
        detail: { params: { errors: [{ type: 'value_error', loc: ['body'], msg: expect.stringContaining('username, role') }] } },
      },
    })
  })

  it('rejects a taken name with 422', async () => {
    expect(await owner().patch(`/users/${annotator.id}`, { username: 'ada' })).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining('ada') },
    })
  })

  it('applies a role at once, whatever the token contains', async () => {
    const user = await server.createUser({ role: 'owner' })
    expect((await server.clientFor(user).get('/users')).status).toBe(200)
    await owner().patch(`/users/${user.id}`, { role: 'annotator' })
    expect(await server.clientFor(user).get('/users')).toMatchObject(forbidden)
  })
})

describe('deactivating a user', () => {
  const signIn = (user: TestUser) =>
    server
      .clientFor(null)
      .post(
        '/session',
        { username: user.username, password: user.password },
        { 'sec-fetch-site': 'same-origin', 'x-postil-csrf': '1' },
      )
  const meBySession = async (cookie: string) => (await server.clientFor(null).get('/me', { cookie })).status
  const cookieOf = ({ headers }: { readonly headers: Headers }) => (headers.get('set-cookie') ?? '').split(';')[0] ?? ''
  const tokenOf = async (user: TestUser) => {
    const form = new URLSearchParams({ username: user.username, password: user.password })
    const response = await fetch(`${server.url}/api/v1/token`, { method: 'POST', body: form })
    return response.ok ? ((await response.json()) as { access_token: string }).access_token : null
  }
  const meByToken = async (token: string | null) =>
    (await fetch(`${server.url}/api/v1/me`, { headers: { authorization: `Bearer ${token}` } })).status

  it('ends all access at once, keeps the user and the answers, and can be reverted', async () => {
    const user = await server.createUser()
    const cookie = cookieOf(await signIn(user))
    const token = await tokenOf(user)
    expect([await meBySession(cookie), await meByToken(token), (await server.clientFor(user).get('/me')).status]).toEqual([
      200, 200, 200,
    ])
    const answer = await owner().patch<User>(`/users/${user.id}`, { active: false })
    expect(answer).toMatchObject({ status: 200, body: { id: user.id, active: false } })
    expect([await meBySession(cookie), await meByToken(token), (await server.clientFor(user).get('/me')).status]).toEqual([
      401, 401, 401,
    ])
    expect((await signIn(user)).status).toBe(401)
    expect(await tokenOf(user)).toBeNull()
    const { body } = await owner().get<{ items: User[] }>('/users')
    expect(body.items.find(({ id }) => id === user.id)).toMatchObject({ active: false, username: user.username })
    expect((await owner().patch<User>(`/users/${user.id}`, { first_name: 'Still away' })).body.active).toBe(false)
    await owner().patch(`/users/${user.id}`, { active: true })
    expect((await server.clientFor(user).get('/me')).status).toBe(200)
    // Earlier sessions and tokens stay invalid.
    expect([await meBySession(cookie), await meByToken(token)]).toEqual([401, 401])
    expect((await signIn(user)).status).toBe(201)
  })

  it('can’t be done to oneself', async () => {
    const user = await server.createUser({ role: 'owner' })
    expect(await server.clientFor(user).patch(`/users/${user.id}`, { active: false })).toMatchObject({
      status: 422,
      body: { detail: 'You cannot deactivate your own account' },
    })
    expect((await server.clientFor(user).get('/me')).status).toBe(200)
  })
})

describe('a new API key', () => {
  it('replaces the old one, for the user and for owners', async () => {
    const user = await server.createUser()
    const renewedByUser = await server.clientFor(user).post<User>(`/users/${user.id}/api-key`)
    expect(renewedByUser).toMatchObject({ status: 200, body: { id: user.id, api_key: expect.stringMatching(/^[\w-]{107}$/) } })
    expect((await server.clientFor(user).get('/me')).status).toBe(401)
    expect(await server.clientFor(renewedByUser.body).get('/me')).toMatchObject({
      status: 200,
      body: { api_key: renewedByUser.body.api_key },
    })
    const renewedByOwner = await owner().post<User>(`/users/${user.id}/api-key`)
    expect(renewedByOwner.body.api_key).not.toBe(renewedByUser.body.api_key)
    expect((await server.clientFor(renewedByOwner.body).get('/me')).status).toBe(200)
  })

  it('can’t be created for others', async () => {
    expect(await server.clientFor(admin).post(`/users/${annotator.id}/api-key`)).toMatchObject(forbidden)
    expect(await server.clientFor(annotator).post(`/users/${admin.id}/api-key`)).toMatchObject(forbidden)
    expect((await owner().post(`/users/${nobodysId}/api-key`)).status).toBe(404)
  })
})

describe('deleting a user', () => {
  it('returns the user as it was and ends API keys, memberships and sign-in', async () => {
    const workspace = await server.createWorkspace()
    const user = await server.createUser({ workspaces: [workspace.id] })
    const answer = await owner().delete<User>(`/users/${user.id}`)
    expect(answer).toMatchObject({ status: 200, body: { id: user.id, username: user.username } })
    expect((await server.clientFor(user).get('/me')).status).toBe(401)
    expect((await owner().get<{ items: [] }>(`/workspaces/${workspace.id}/users`)).body.items).toEqual([])
    expect((await owner().delete(`/users/${user.id}`)).status).toBe(404)
    expect((await owner().post('/users', spec({ username: user.username }))).status).toBe(201)
  })

  it('lets owners delete themselves', async () => {
    const user = await server.createUser({ role: 'owner' })
    expect((await server.clientFor(user).delete(`/users/${user.id}`)).status).toBe(200)
  })
})

describe('users who aren’t owners', () => {
  it('can’t manage users, including themselves, and reads check permission before existence', async () => {
    for (const user of [admin, annotator]) {
      const as = server.clientFor(user)
      expect(await as.get('/users')).toMatchObject(forbidden)
      expect(await as.get(`/users/${user.id}`)).toMatchObject(forbidden)
      expect(await as.get(`/users/${nobodysId}`)).toMatchObject(forbidden)
      expect(await as.get(`/users/${user.id}/workspaces`)).toMatchObject(forbidden)
      expect(await as.get(`/users/${nobodysId}/workspaces`)).toMatchObject(forbidden)
      expect(await as.post('/users', spec({}))).toMatchObject(forbidden)
      expect(await as.patch(`/users/${user.id}`, { first_name: 'x' })).toMatchObject(forbidden)
      expect(await as.delete(`/users/${user.id}`)).toMatchObject(forbidden)
      expect((await as.patch(`/users/${nobodysId}`, { first_name: 'x' })).status).toBe(404)
      expect((await as.delete(`/users/${nobodysId}`)).status).toBe(404)
    }
  })
})
