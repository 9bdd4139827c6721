import { createHash } from 'node:crypto'
import type { RecoveryCodes, SecondFactor } from '@postil/contract/people/second-factor.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { activated, begun, codeOf } from '#tests/api/testing/second-factor.ts'
import { findFactor } from './operations.ts'
import { storedText } from './testing/stored-text.ts'

let server: TestServer
beforeAll(async () => {
  server = await bootServer()
})
afterAll(() => server.close())

const sameOriginHeaders = { 'sec-fetch-site': 'same-origin', 'x-postil-csrf': '1' }
type Refused = { readonly second_factor?: string }
const signIn = ({ username, password }: TestUser, more: object = {}, from = server) =>
  from.clientFor(null).post<Refused>('/session', { username, password, ...more }, sameOriginHeaders)
const token = async ({ username, password }: TestUser, code?: string) => {
  const body = new URLSearchParams({ username, password, ...(code !== undefined && { code }) })
  return (await fetch(`${server.url}/api/v1/token`, { method: 'POST', body })).status
}
const cookieOf = (answer: { readonly headers: Headers }) => answer.headers.get('set-cookie')?.split(';')[0] ?? ''
const me = async (cookie: string) => (await server.clientFor(null).get('/me', { cookie })).status

it('is active from the first code of the app: the password alone no longer works, and each code works once', async () => {
  const user = await server.createUser()
  const client = server.clientFor(user)
  const app = await begun(client, user)
  expect(app.uri).toContain(`secret=${app.secret}`)
  expect(app.uri).toMatch(/^otpauth:\/\/totp\/Postil:/)
  // An unconfirmed secret doesn't lock the user out.
  expect((await signIn(user)).status).toBe(201)
  expect(await client.put('/me/second-factor', { code: '000000' })).toMatchObject({ status: 422 })
  const first = codeOf(app)
  const { body } = await client.put<RecoveryCodes>('/me/second-factor', { code: first })
  expect(new Set(body.recovery_codes).size).toBe(10)
  expect(await signIn(user)).toMatchObject({ status: 401, body: { second_factor: 'needed' } })
  expect(await token(user)).toBe(401)
  for (const code of [first, '000000', 'ABCD-EFGH-JKLM', 'x'.repeat(1000)])
    expect(await signIn(user, { code })).toMatchObject({ status: 401, body: { second_factor: 'wrong' } })
  // A wrong password doesn't reveal whether a second factor exists.
  const wrong = await signIn({ ...user, password: 'wrong' }, { code: codeOf(app, 1) })
  expect([wrong.status, wrong.body.second_factor]).toEqual([401, undefined])
  const next = codeOf(app, 1)
  const both = await Promise.all([signIn(user, { code: `${next.slice(0, 3)} ${next.slice(3)}` }), signIn(user, { code: next })])
  expect(both.map(({ status }) => status).sort()).toEqual([201, 401])
  // API keys are independent credentials.
  expect((await client.get('/me')).status).toBe(200)
})

it('is stored encrypted', async () => {
  const user = await server.createUser()
  const { app, codes } = await activated(server.clientFor(user), user)
  const storedFactor = JSON.stringify(await server.app.ctx.store.read(findFactor, { user_id: user.id }))
  for (const secret of [app.secret, ...codes, ...codes.map((code) => code.replaceAll('-', ''))])
    expect(storedFactor).not.toContain(secret)
})

it('stores no codes, and only SHA-256 hashes of recovery codes', async () => {
  const user = await server.createUser()
  const { app, codes } = await activated(server.clientFor(user), user)
  expect((await signIn(user, { code: codes[0] })).status).toBe(201)
  const renewed = await server.clientFor(user).post<RecoveryCodes>('/me/second-factor/recovery-codes', { code: codes[1] })
  const allCodes = [...codes, ...renewed.body.recovery_codes]
  expect(new Set(allCodes).size).toBe(20)
  const storedFactor = await storedText(server)
  // The username is found in the stored text. This proves that the search below would find a stored code.
  expect(storedFactor).toContain(user.username)
  for (const code of [app.secret, ...allCodes]) {
    for (const form of [code, code.replaceAll('-', '')]) {
      expect(storedFactor.toLowerCase()).not.toContain(form.toLowerCase())
      expect(storedFactor).not.toContain(Buffer.from(form).toString('hex'))
      expect(storedFactor).not.toContain(Buffer.from(form).toString('base64').replace(/=+$/, ''))
    }
  }
  const { recovery } = (await server.app.ctx.store.read(findFactor, { user_id: user.id })) ?? {}
  const hashes = renewed.body.recovery_codes.map((code) => createHash('sha256').update(code.replaceAll('-', '')).digest('hex'))
  expect(recovery).toEqual(hashes)
})

it('comes with ten recovery codes, each of which works once, including for a bearer token', async () => {
  const user = await server.createUser()
  const client = server.clientFor(user)
  const { app, codes } = await activated(client, user)
  const left = async () => (await client.get<SecondFactor>('/me/second-factor')).body.recovery_codes
  expect(await left()).toBe(10)
  expect((await signIn(user, { code: codes[0]?.toLowerCase().replaceAll('-', ' ') })).status).toBe(201)
  expect((await signIn(user, { code: codes[0] })).status).toBe(401)
  expect(await token(user, codes[1])).toBe(201)
  expect(await left()).toBe(8)
  const renewed = await client.post<RecoveryCodes>('/me/second-factor/recovery-codes', { code: codeOf(app, 1) })
  expect(await left()).toBe(10)
  expect((await signIn(user, { code: codes[2] })).status).toBe(401)
  expect((await signIn(user, { code: renewed.body.recovery_codes[0] })).status).toBe(201)
})

it('ends all other sessions and tokens when activated, and is removed only with password and code', async () => {
  const user = await server.createUser()
  const [one, two] = [cookieOf(await signIn(user)), cookieOf(await signIn(user))]
  const browser = { cookie: one, ...sameOriginHeaders }
  const app = (
    await server
      .clientFor(null)
      .post<{ secret: string; uri: string }>('/me/second-factor', { current_password: user.password }, browser)
  ).body
  const answer = await server.clientFor(null).put<RecoveryCodes>('/me/second-factor', { code: codeOf(app) }, browser)
  expect([await me(one), await me(two), await me(cookieOf(answer))]).toEqual([401, 401, 200])
  const client = server.clientFor(user)
  const remove = (body: object) => client.post('/me/second-factor/remove', body)
  const code = answer.body.recovery_codes[0]
  expect((await remove({ current_password: 'wrong', code })).status).toBe(422)
  expect((await remove({ current_password: user.password, code: '000000' })).status).toBe(422)
  expect((await remove({ current_password: user.password, code })).status).toBe(204)
  expect((await signIn(user)).status).toBe(201)
})

it('can’t be guessed by someone who has the password, with or without an initial request', async () => {
  const guarded = await bootServer({ env: { POSTIL_SIGN_IN_ATTEMPTS: '4' } })
  const user = await guarded.createUser()
  await activated(guarded.clientFor(user), user)
  const tries: number[] = []
  for (const more of [{}, { code: '000001' }, {}, { code: '000002' }, { code: '000003' }, {}])
    tries.push((await signIn(user, more, guarded)).status)
  expect(tries).toEqual([401, 401, 401, 401, 429, 429])
  await guarded.close()
})

it('can be removed by an owner for a user who lost the device, which is audited, and is deleted with the user', async () => {
  const user = await server.createUser({ role: 'admin' })
  await activated(server.clientFor(user), user)
  const owner = server.clientFor(server.owner)
  expect((await server.clientFor(user).delete(`/users/${user.id}/second-factor`)).status).toBe(403)
  expect((await owner.delete(`/users/${user.id}/second-factor`)).status).toBe(204)
  expect((await signIn(user)).status).toBe(201)
  const { body } = await owner.get<{ items: { action: string }[] }>(`/audit?target_id=${user.id}`)
  expect(body.items.map(({ action }) => action)).toContain('users.remove_second_factor')
  await activated(server.clientFor(user), user)
  await owner.delete(`/users/${user.id}`)
  expect(await server.app.ctx.store.read(findFactor, { user_id: user.id })).toBeNull()
})
