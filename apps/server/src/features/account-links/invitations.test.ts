import type { AuditEntry } from '@postil/contract/audit.ts'
import type { Invitation, InvitationLink, OpenInvitation } from '@postil/contract/people/account-links.ts'
import type { Session } from '@postil/contract/people/auth.ts'
import type { User } from '@postil/contract/people/users.ts'
import type { Workspace } from '@postil/contract/people/workspaces.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const ours = { 'sec-fetch-site': 'same-origin', 'x-postil-csrf': '1' }
const PASSWORD = 'few others have it'

let server: TestServer
let workspace: Workspace
let admin: TestUser
beforeAll(async () => {
  server = await bootServer({
    env: {
      POSTIL_PUBLIC_URL: 'https://annotate.example.org',
      POSTIL_BASE_URL: '/team',
      POSTIL_TRUST_PROXY: 'true',
      POSTIL_DEMO_USER: 'visitor',
    },
  })
  workspace = await server.createWorkspace('invited-into')
  admin = await server.createUser({ role: 'admin', workspaces: [workspace.id] })
})
afterAll(() => server.close())

let count = 0
const fresh = () => `invited ${++count}`
const tokenOf = ({ link }: { readonly link: string }): string => link.split('#link=')[1] ?? ''
const invite = async (body: object = {}, by: { api_key: string } = server.owner) =>
  server
    .clientFor(by)
    .post<InvitationLink>('/invitations', { username: fresh(), first_name: 'Ada', workspace_ids: [workspace.id], ...body })
const invited = async (body: object = {}, by?: { api_key: string }) => {
  const answer = await invite(body, by)
  expect(answer.status).toBe(201)
  return { ...answer.body, token: tokenOf(answer.body) }
}
let address = 0
/** Each request comes from another address, so that failed requests don't reach the limit per address. */
const elsewhere = () => ({ ...ours, 'x-forwarded-for': `203.0.113.${(++address % 250) + 1}` })
const read = (token: string) => server.clientFor(null).post<OpenInvitation>('/invitations/read', { token }, elsewhere())
const accept = (token: string, username: string, password = PASSWORD, headers: { [name: string]: string } = elsewhere()) =>
  server.clientFor(null).post<Session>('/invitations/accept', { token, username, password }, headers)
const listed = async (by: { api_key: string } = server.owner) =>
  (await server.clientFor(by).get<{ items: Invitation[] }>('/invitations')).body.items
const users = async () => (await server.clientFor(server.owner).get<{ items: User[] }>('/users')).body.items

describe('an invitation', () => {
  it('is a link on the public address whose token is after #', async () => {
    const { link, token, expires_at, inserted_at, ...rest } = await invited({ last_name: 'Byron', role: 'admin' })
    expect(link).toMatch(/^https:\/\/annotate\.example\.org\/team\/invitation#link=[\w-]{43}$/)
    expect(Date.parse(expires_at) - Date.parse(inserted_at)).toBe(7 * 24 * 3600 * 1000)
    expect(rest).toMatchObject({
      first_name: 'Ada',
      last_name: 'Byron',
      role: 'admin',
      workspaces: [{ id: workspace.id, name: 'invited-into' }],
      invited_by: { id: server.owner.id, username: 'owner' },
    })
    expect(JSON.stringify(await listed())).not.toContain(token)
  })

  it('creates no user until it is accepted, and then one who is signed in', async () => {
    const { token, username } = await invited({ last_name: 'Byron' })
    expect((await users()).some((user) => user.username === username)).toBe(false)
    const form = { username, password: PASSWORD }
    expect((await server.clientFor(null).post('/session', form, elsewhere())).status).toBe(401)
    expect(await read(token)).toMatchObject({
      status: 200,
      body: { username, first_name: 'Ada', role: 'annotator', workspaces: ['invited-into'] },
    })
    const accepted = await accept(token, username)
    expect(accepted).toMatchObject({ status: 201, body: { user: { username, first_name: 'Ada', role: 'annotator' } } })
    const cookie = accepted.headers.get('set-cookie')?.split(';')[0] ?? ''
    expect(await server.clientFor(null).get('/me', { cookie })).toMatchObject({ status: 200, body: { username } })
    expect((await server.clientFor(null).post('/session', form, elsewhere())).status).toBe(201)
    const { id } = accepted.body.user
    const { body } = await server.clientFor(server.owner).get<{ items: Workspace[] }>(`/users/${id}/workspaces`)
    expect(body.items.map((one) => one.id)).toEqual([workspace.id])
  })

  it('works once, even for requests at the same time', async () => {
    const { token } = await invited()
    const names = Array.from({ length: 6 }, fresh)
    const answers = await Promise.all(names.map((name) => accept(token, name)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 401, 401, 401, 401, 401])
    expect((await users()).filter(({ username }) => names.includes(username))).toHaveLength(1)
    expect((await read(token)).status).toBe(401)
    expect((await accept(token, fresh())).status).toBe(401)
  })

  it('stops working when it is revoked, replaced, or its inviter may no longer invite', async () => {
    const client = server.clientFor(server.owner)
    const revoked = await invited()
    expect(await client.delete(`/invitations/${revoked.id}`)).toMatchObject({ status: 200, body: { id: revoked.id } })
    expect((await accept(revoked.token, fresh())).status).toBe(401)
    const replaced = await invited()
    const renewed = await client.post<InvitationLink>(`/invitations/${replaced.id}/link`)
    expect((await accept(replaced.token, fresh())).status).toBe(401)
    expect((await accept(tokenOf(renewed.body), fresh())).status).toBe(201)
    for (const end of [
      (id: string) => client.patch(`/users/${id}`, { role: 'annotator' }),
      (id: string) => client.patch(`/users/${id}`, { active: false }),
      (id: string) => client.delete(`/workspaces/${workspace.id}/users/${id}`),
      (id: string) => client.delete(`/users/${id}`),
    ]) {
      const inviter = await server.createUser({ role: 'admin', workspaces: [workspace.id] })
      const { token } = await invited({}, inviter)
      expect((await read(token)).status).toBe(200)
      expect((await end(inviter.id)).status).toBe(200)
      expect([(await read(token)).status, (await accept(token, fresh())).status]).toEqual([401, 401])
    }
  })

  it('keeps working after a username that is taken or a password that is easy to guess', async () => {
    const { token, username } = await invited()
    expect(await accept(token, admin.username)).toMatchObject({ status: 409 })
    expect((await accept(token, username, username)).status).toBe(422)
    expect((await accept(token, username, 'password1')).status).toBe(422)
    expect((await accept(token, username)).status).toBe(201)
  })

  it('refuses usernames that look like another user’s, or that the configuration gives rights to', async () => {
    await server.createUser({ username: 'Zoë'.normalize('NFC') })
    await server.createUser({ username: 'Noël'.normalize('NFD') })
    const { token } = await invited()
    for (const name of ['Zoë'.normalize('NFD'), ' Zoë ', 'Noël'.normalize('NFC'), 'visitor'])
      expect([name, (await accept(token, name)).status]).toEqual([name, 409])
    const name = fresh()
    expect((await accept(token, ` ${name} `)).body.user.username).toBe(name)
  })

  it('can’t be used to guess usernames without limit', async () => {
    const { token } = await invited()
    const same = { ...ours, 'x-forwarded-for': '198.51.100.7' }
    const answers: number[] = []
    for (let i = 0; i < 12; i += 1) answers.push((await accept(token, admin.username, PASSWORD, same)).status)
    expect(answers).toEqual([...Array.from({ length: 10 }, () => 409), 429, 429])
  })

  it('survives the deletion of a workspace, without it', async () => {
    const other = await server.createWorkspace()
    const { token } = await invited({ workspace_ids: [other.id, workspace.id] })
    await server.clientFor(server.owner).delete(`/workspaces/${other.id}`)
    expect((await read(token)).body.workspaces).toEqual(['invited-into'])
    expect((await accept(token, fresh())).status).toBe(201)
  })

  it('refuses guesses like failed sign-ins', async () => {
    const same = { ...ours, 'x-forwarded-for': '198.51.100.8' }
    const guess = () => server.clientFor(null).post('/invitations/read', { token: 'a guess' }, same)
    const answers = await Promise.all(Array.from({ length: 101 }, guess))
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(100)
    expect((await guess()).status).toBe(429)
  })

  it('accepts only requests of this server’s pages', async () => {
    const { token } = await invited()
    for (const headers of [{}, { ...ours, 'sec-fetch-site': 'cross-site' }])
      expect((await accept(token, fresh(), PASSWORD, headers)).status).toBe(403)
  })
})

describe('an expired invitation', () => {
  it('no longer works, but stays in the list', async () => {
    const quick = await bootServer({ env: { POSTIL_INVITATION_EXPIRATION: '1' } })
    try {
      const { body } = await quick
        .clientFor(quick.owner)
        .post<InvitationLink>('/invitations', { username: 'late', first_name: 'Late', workspace_ids: [] })
      const token = tokenOf(body)
      const readIt = () => quick.clientFor(null).post('/invitations/read', { token }, ours)
      await expect.poll(async () => (await readIt()).status).toBe(401)
      const late = { token, username: 'late', password: PASSWORD }
      expect((await quick.clientFor(null).post('/invitations/accept', late, ours)).status).toBe(401)
      const { items } = (await quick.clientFor(quick.owner).get<{ items: Invitation[] }>('/invitations')).body
      expect(items.map(({ username }) => username)).toEqual(['late'])
      const renewed = await quick.clientFor(quick.owner).post<InvitationLink>(`/invitations/${body.id}/link`)
      expect(renewed.body.id).toBe(body.id)
    } finally {
      await quick.close()
    }
  })
})

describe('an admin', () => {
  it('invites annotators into own workspaces only', async () => {
    const other = await server.createWorkspace()
    const unknown = '00000000-0000-7000-8000-000000000001'
    for (const body of [
      { role: 'admin' },
      { role: 'owner' },
      { workspace_ids: [] },
      { workspace_ids: [other.id] },
      { workspace_ids: [workspace.id, other.id] },
      { workspace_ids: [unknown] },
    ])
      expect([body, (await invite(body, admin)).status]).toEqual([body, 403])
    expect((await invite({ workspace_ids: [unknown] })).status).toBe(422)
    const { token, username } = await invited({}, admin)
    expect((await accept(token, username)).body.user.role).toBe('annotator')
  })

  it('sees and revokes only invitations that they could have made', async () => {
    const other = await server.createWorkspace()
    const mine = await invited()
    const hidden = [
      await invited({ role: 'admin' }),
      await invited({ workspace_ids: [other.id] }),
      await invited({ workspace_ids: [workspace.id, other.id] }),
    ]
    const ids = (await listed(admin)).map(({ id }) => id)
    expect(ids).toContain(mine.id)
    for (const { id } of hidden) {
      expect(ids).not.toContain(id)
      expect((await server.clientFor(admin).delete(`/invitations/${id}`)).status).toBe(403)
      expect((await server.clientFor(admin).post(`/invitations/${id}/link`)).status).toBe(403)
    }
    expect((await server.clientFor(admin).delete(`/invitations/${mine.id}`)).status).toBe(200)
  })

  it('doesn’t learn that a username is taken outside their workspaces', async () => {
    const outside = await server.createUser({})
    expect((await invite({ username: outside.username })).status).toBe(409)
    const { token } = await invited({ username: outside.username }, admin)
    expect((await accept(token, outside.username)).status).toBe(409)
    expect((await accept(token, fresh())).status).toBe(201)
  })
})

it('is recorded from the invitation to the first sign-in, without its token', async () => {
  const { id, token, username } = await invited()
  await server.clientFor(server.owner).post(`/invitations/${id}/link`)
  const again = await invited()
  const { body } = await accept(again.token, again.username)
  await server.clientFor(server.owner).delete(`/invitations/${id}`)
  const { items } = (await server.clientFor(server.owner).get<{ items: AuditEntry[] }>('/audit?action=invitations')).body
  expect(items.slice(0, 5).map(({ action, actor, target }) => [action, actor.name, target.id, target.name])).toEqual([
    ['invitations.delete', 'owner', id, username],
    ['invitations.accept', again.username, body.user.id, again.username],
    ['invitations.create', 'owner', again.id, again.username],
    ['invitations.renew', 'owner', id, username],
    ['invitations.create', 'owner', id, username],
  ])
  expect(JSON.stringify(items)).not.toContain(token)
  expect(JSON.stringify(items)).not.toContain(again.token)
})
