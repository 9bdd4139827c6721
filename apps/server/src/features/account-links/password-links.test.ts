import type { AuditEntry } from '@postil/contract/audit.ts'
import type { NewPasswordLink, PasswordLink } from '@postil/contract/people/account-links.ts'
import type { Token } from '@postil/contract/people/auth.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { logStream } from '@postil/testkit/log-stream.ts'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { activated, codeOf } from '#tests/api/testing/second-factor.ts'

const ours = { 'sec-fetch-site': 'same-origin', 'x-postil-csrf': '1' }
const PASSWORD = 'few others have it'

const logged = logStream()
let server: TestServer
beforeAll(async () => {
  server = await bootServer({
    log: pino({ level: 'trace' }, logged.stream),
    env: { POSTIL_ACCESS_LOG: 'true', POSTIL_TRUST_PROXY: 'true' },
  })
})
afterAll(() => server.close())

const tokenOf = ({ link }: { readonly link: string }): string => link.split('#link=')[1] ?? ''
const create = (id: string, by: { api_key: string } = server.owner) =>
  server.clientFor(by).post<NewPasswordLink>(`/users/${id}/password-link`)
const tokenFor = async (id: string): Promise<string> => tokenOf((await create(id)).body)
let address = 0
/** Makes each request come from a different address, so that failed requests don't reach the limit per address. */
const elsewhere = () => ({ ...ours, 'x-forwarded-for': `203.0.113.${(++address % 250) + 1}` })
const read = (token: string) => server.clientFor(null).post('/password-links/read', { token }, elsewhere())
const use = (token: string, password = PASSWORD, headers: { [name: string]: string } = elsewhere()) =>
  server.clientFor(null).post('/password-links/use', { token, password }, headers)
const signIn = ({ username }: TestUser, password: string, code?: string) =>
  server.clientFor(null).post('/session', { username, password, ...(code && { code }) }, elsewhere())
const cookieOf = (headers: Headers) => ({ cookie: headers.get('set-cookie')?.split(';')[0] ?? '' })

describe('a link for a new password', () => {
  it('sets the password once and ends every session and bearer token, but not the API key', async () => {
    const user = await server.createUser()
    const session = cookieOf((await signIn(user, user.password)).headers)
    const form = new URLSearchParams({ username: user.username, password: user.password })
    const { access_token } = (await (await fetch(`${server.url}/api/v1/token`, { method: 'POST', body: form })).json()) as Token
    const { body } = await create(user.id)
    expect(body.link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/new-password#link=[\w-]{43}$/)
    expect(Date.parse(body.expires_at) - Date.parse(body.inserted_at)).toBe(24 * 3600 * 1000)
    const token = tokenOf(body)
    expect(await read(token)).toMatchObject({ status: 200, body: { username: user.username } })
    expect((await server.clientFor(null).get('/me', session)).status).toBe(200)
    const used = await use(token)
    expect([used.status, used.headers.get('set-cookie')]).toEqual([204, null])
    expect((await server.clientFor(null).get('/me', session)).status).toBe(401)
    expect((await server.clientFor(null).get('/me', { authorization: `Bearer ${access_token}` })).status).toBe(401)
    expect((await server.clientFor(user).get('/me')).status).toBe(200)
    expect([(await signIn(user, user.password)).status, (await signIn(user, PASSWORD)).status]).toEqual([401, 201])
    expect([(await read(token)).status, (await use(token, 'another password')).status]).toEqual([401, 401])
  })

  it('works once, even for requests at the same time', async () => {
    const user = await server.createUser()
    const token = await tokenFor(user.id)
    const passwords = Array.from({ length: 5 }, (_, i) => `${PASSWORD} ${i}`)
    const answers = await Promise.all(passwords.map((password) => use(token, password)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 401, 401, 401, 401])
    const winner = answers.findIndex(({ status }) => status === 204)
    expect((await signIn(user, passwords[winner] ?? '')).status).toBe(201)
  })

  it('keeps the second factor: the new password alone signs nobody in', async () => {
    const user = await server.createUser()
    const { app } = await activated(server.clientFor(user), user)
    expect((await use(await tokenFor(user.id))).status).toBe(204)
    expect(await signIn(user, PASSWORD)).toMatchObject({ status: 401, body: { second_factor: 'needed' } })
    expect((await signIn(user, PASSWORD, codeOf(app, 1))).status).toBe(201)
  })

  it('stops working when it is replaced or revoked, and with another new password, deactivation or its maker’s role', async () => {
    const client = server.clientFor(server.owner)
    const maker = await server.createUser({ role: 'owner' })
    const ends: readonly ((user: TestUser) => Promise<{ status: number }>)[] = [
      ({ id }) => create(id),
      ({ id }) => client.delete(`/users/${id}/password-link`),
      ({ id }) => client.patch(`/users/${id}`, { password: 'by an owner' }),
      (user) => server.clientFor(user).put('/me/password', { current_password: user.password, password: PASSWORD }),
      ({ id }) => client.patch(`/users/${id}`, { active: false }),
      () => client.patch(`/users/${maker.id}`, { role: 'admin' }),
    ]
    for (const [index, end] of ends.entries()) {
      const user = await server.createUser()
      const token = tokenOf((await create(user.id, maker)).body)
      expect((await read(token)).status).toBe(200)
      expect((await end(user)).status).toBeLessThan(300)
      expect([index, (await read(token)).status, (await use(token)).status]).toEqual([index, 401, 401])
    }
  })

  it('is listed while it is open', async () => {
    const user = await server.createUser()
    const list = async () => {
      const { items } = (await server.clientFor(server.owner).get<{ items: PasswordLink[] }>('/password-links')).body
      return items.filter((one) => one.user.id === user.id)
    }
    const { link: _, ...row } = (await create(user.id)).body
    expect(await list()).toEqual([row])
    await server.clientFor(server.owner).delete(`/users/${user.id}/password-link`)
    expect(await list()).toEqual([])
  })

  it('isn’t made for deactivated users', async () => {
    const user = await server.createUser()
    await server.clientFor(server.owner).patch(`/users/${user.id}`, { active: false })
    expect((await create(user.id)).status).toBe(422)
  })

  it('keeps working after a password that is easy to guess, and accepts only requests of this server’s pages', async () => {
    const user = await server.createUser()
    const token = await tokenFor(user.id)
    expect((await use(token, user.username)).status).toBe(422)
    expect((await use(token, 'password1')).status).toBe(422)
    expect((await use(token, PASSWORD, {})).status).toBe(403)
    expect((await use(token)).status).toBe(204)
  })

  it('expires', async () => {
    const quick = await bootServer({ env: { POSTIL_PASSWORD_LINK_EXPIRATION: '1' } })
    try {
      const user = await quick.createUser()
      const { body } = await quick.clientFor(quick.owner).post<NewPasswordLink>(`/users/${user.id}/password-link`)
      const token = tokenOf(body)
      const readIt = () => quick.clientFor(null).post('/password-links/read', { token }, ours)
      await expect.poll(async () => (await readIt()).status).toBe(401)
      expect((await quick.clientFor(null).post('/password-links/use', { token, password: PASSWORD }, ours)).status).toBe(401)
    } finally {
      await quick.close()
    }
  })

  it('is recorded in the audit log and the security log, without its token or the password', async () => {
    const user = await server.createUser()
    logged.clear()
    const token = await tokenFor(user.id)
    await use(token)
    await server.clientFor(server.owner).delete(`/users/${user.id}/password-link`)
    const { items } = (await server.clientFor(server.owner).get<{ items: AuditEntry[] }>(`/audit?target_id=${user.id}`)).body
    expect(items.map(({ action, actor, target }) => [action, actor.name, target.name])).toEqual([
      ['users.delete_password_link', 'owner', user.username],
      ['password_links.use', user.username, user.username],
      ['users.create_password_link', 'owner', user.username],
      ['users.create', 'owner', user.username],
    ])
    expect(logged.text()).toContain('password reset')
    for (const secret of [token, PASSWORD]) {
      expect(logged.text()).not.toContain(secret)
      expect(JSON.stringify(items)).not.toContain(secret)
    }
  })
})
