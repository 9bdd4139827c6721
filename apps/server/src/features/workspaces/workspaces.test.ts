import type { User } from '@postil/contract/people/users.ts'
import type { Workspace } from '@postil/contract/people/workspaces.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'

let server: TestServer
let ours: Workspace
let theirs: Workspace
let admin: TestUser
let annotator: TestUser
beforeAll(async () => {
  server = await bootServer()
  theirs = await server.createWorkspace('theirs')
  ours = await server.createWorkspace('ours')
  admin = await server.createUser({ role: 'admin', workspaces: [ours.id] })
  annotator = await server.createUser({ workspaces: [ours.id] })
})
afterAll(() => server.close())

const owner = () => server.clientFor(server.owner)
const nobodysId = '00000000-0000-4000-8000-000000000000'
const forbidden = { status: 403, body: { detail: { code: 'argilla.api.errors::ForbiddenOperationError' } } }
const names = ({ body }: { body: unknown }) => (body as { items: Workspace[] }).items.map(({ name }) => name)
const ids = ({ body }: { body: unknown }) => (body as { items: User[] }).items.map(({ id }) => id)

describe('listing workspaces', () => {
  it('shows owners all of them and others their own, oldest first', async () => {
    expect(names(await owner().get('/me/workspaces')).slice(0, 3)).toEqual(['default', 'theirs', 'ours'])
    expect(names(await server.clientFor(admin).get('/me/workspaces'))).toEqual(['ours'])
    expect(names(await server.clientFor(annotator).get('/me/workspaces'))).toEqual(['ours'])
  })

  it('shows owners the ones that a given user sees, by that user’s role', async () => {
    expect(names(await owner().get(`/users/${annotator.id}/workspaces`))).toEqual(['ours'])
    expect(names(await owner().get(`/users/${server.owner.id}/workspaces`))).toContain('theirs')
    expect(await owner().get(`/users/${nobodysId}/workspaces`)).toMatchObject({ status: 404 })
  })
})

describe('creating a workspace', () => {
  it('accepts a name and an ID', async () => {
    const id = nobodysId.replace('8', '9')
    const answer = await owner().post<Workspace>('/workspaces', { id, name: 'Made-by_me', inserted_at: 'x' })
    expect(answer).toMatchObject({ status: 201, body: { id, name: 'Made-by_me', updated_at: answer.body.inserted_at } })
    expect(await owner().post('/workspaces', { name: 'Made-by_me' })).toMatchObject({ status: 409 })
    expect(await owner().post('/workspaces', { name: 'other', id })).toMatchObject({ status: 409 })
    expect(await owner().post('/workspaces', { name: 'made-by_me', id: null })).toMatchObject({ status: 201 })
  })

  test.each([
    [{ name: 'a b' }, 'string_pattern_mismatch'],
    [{ name: 'ä' }, 'string_pattern_mismatch'],
    [{ name: 'a\n' }, 'string_pattern_mismatch'],
    [{ name: '' }, 'string_too_short'],
    [{}, 'missing'],
  ])('rejects %j', async (body, type) => {
    expect(await owner().post('/workspaces', body)).toMatchObject({
      status: 422,
      body: { detail: { params: { errors: [{ type, loc: ['body', 'name'] }] } } },
    })
  })
})

describe('one workspace', () => {
  it('is visible to owners and members, and strangers don’t learn whether it exists', async () => {
    for (const user of [server.owner, admin, annotator]) {
      expect(await server.clientFor(user).get(`/workspaces/${ours.id}`)).toMatchObject({ status: 200, body: ours })
    }
    for (const id of [theirs.id, nobodysId]) {
      expect(await server.clientFor(admin).get(`/workspaces/${id}`)).toMatchObject(forbidden)
      expect(await server.clientFor(annotator).get(`/workspaces/${id}`)).toMatchObject(forbidden)
    }
    expect(await owner().get(`/workspaces/${nobodysId}`)).toMatchObject({ status: 404 })
  })

  it('is created and deleted by owners only', async () => {
    for (const user of [admin, annotator]) {
      expect(await server.clientFor(user).post('/workspaces', { name: 'mine' })).toMatchObject(forbidden)
      expect(await server.clientFor(user).delete(`/workspaces/${ours.id}`)).toMatchObject(forbidden)
      expect(await server.clientFor(user).delete(`/workspaces/${nobodysId}`)).toMatchObject(forbidden)
    }
    expect(await owner().delete(`/workspaces/${nobodysId}`)).toMatchObject({ status: 404 })
  })

  it('is deleted with its memberships, and its name becomes free', async () => {
    const workspace = await server.createWorkspace('short-lived')
    const user = await server.createUser({ workspaces: [workspace.id] })
    expect(await owner().delete(`/workspaces/${workspace.id}`)).toMatchObject({ status: 200, body: workspace })
    expect(names(await server.clientFor(user).get('/me/workspaces'))).toEqual([])
    expect((await owner().post('/workspaces', { name: 'short-lived' })).status).toBe(201)
  })

  it('can’t be deleted while it has datasets', async () => {
    const dataset = await server.createDataset()
    expect(await owner().delete(`/workspaces/${dataset.workspace_id}`)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining(dataset.name) },
    })
    expect((await owner().delete(`/datasets/${dataset.id}`)).status).toBe(200)
    expect((await owner().delete(`/workspaces/${dataset.workspace_id}`)).status).toBe(200)
  })
})

describe('members', () => {
  it('are listed in joining order, to owners and admins of the workspace', async () => {
    const workspace = await server.createWorkspace()
    const late = await server.createUser()
    const early = await server.createUser({ workspaces: [workspace.id] })
    const lead = await server.createUser({ role: 'admin', workspaces: [workspace.id] })
    await owner().post(`/workspaces/${workspace.id}/users`, { user_id: late.id })
    const path = `/workspaces/${workspace.id}/users`
    expect(ids(await owner().get(path))).toEqual([early.id, lead.id, late.id])
    expect(ids(await server.clientFor(lead).get(path))).toEqual([early.id, lead.id, late.id])
    for (const user of [early, admin, annotator]) expect(await server.clientFor(user).get(path)).toMatchObject(forbidden)
    expect(await server.clientFor(lead).get(`/workspaces/${nobodysId}/users`)).toMatchObject(forbidden)
    expect(await owner().get(`/workspaces/${nobodysId}/users`)).toMatchObject({ status: 404 })
  })

  it('show an admin only their own API key', async () => {
    const { body } = await server.clientFor(admin).get<{ items: User[] }>(`/workspaces/${ours.id}/users`)
    const keys = Object.fromEntries(body.items.map(({ id, api_key }) => [id, api_key]))
    expect(keys).toEqual({ [admin.id]: admin.api_key, [annotator.id]: '' })
    const all = await owner().get<{ items: User[] }>(`/workspaces/${ours.id}/users`)
    expect(all.body.items.find(({ id }) => id === annotator.id)?.api_key).toBe(annotator.api_key)
  })

  it('are added by owners only, and the response is the added user', async () => {
    const user = await server.createUser()
    const path = `/workspaces/${ours.id}/users`
    for (const one of [admin, annotator]) {
      expect(await server.clientFor(one).post(path, { user_id: user.id })).toMatchObject(forbidden)
    }
    expect(await owner().post(path, { user_id: user.id })).toMatchObject({ status: 201, body: { username: user.username } })
    expect(await owner().post(path, { user_id: user.id })).toMatchObject({ status: 409 })
    expect(await owner().post(path, { user_id: nobodysId })).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining(nobodysId) },
    })
    expect(await owner().post(`/workspaces/${nobodysId}/users`, { user_id: user.id })).toMatchObject({ status: 404 })
  })

  it('are removed by owners and admins of the workspace, and a non-member returns 404 before the permission check', async () => {
    const [one, two] = [await server.createUser({ workspaces: [ours.id] }), await server.createUser({ workspaces: [ours.id] })]
    const path = (workspace: string, user: string) => `/workspaces/${workspace}/users/${user}`
    expect(await server.clientFor(annotator).delete(path(ours.id, one.id))).toMatchObject(forbidden)
    expect(await server.clientFor(admin).delete(path(ours.id, one.id))).toMatchObject({
      status: 200,
      body: { id: one.id, api_key: '' },
    })
    expect(await server.clientFor(annotator).delete(path(ours.id, one.id))).toMatchObject({ status: 404 })
    expect(await owner().delete(path(ours.id, two.id))).toMatchObject({ status: 200, body: { id: two.id, api_key: two.api_key } })
    expect(await server.clientFor(annotator).delete(path(nobodysId, two.id))).toMatchObject({ status: 404 })
    expect(await owner().delete(path(ours.id, nobodysId))).toMatchObject({ status: 404 })
    const stranger = await server.createUser({ role: 'admin' })
    expect(await server.clientFor(stranger).delete(path(ours.id, annotator.id))).toMatchObject(forbidden)
  })
})
