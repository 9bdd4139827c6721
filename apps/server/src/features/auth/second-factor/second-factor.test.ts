import { createHash } from 'node:crypto'
import type { RecoveryCodes, SecondFactor } from '@postil/contract/people/second-factor.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { activated, begun, codeOf } from '#wire/testing/second-factor.ts'
import { findFactor } from './operations.ts'
import { everything } from './testing/everything.ts'

let server: TestServer
beforeAll(async () => {
  server = await bootServer()
})
afterAll(() => server.close())

const ours = { 'sec-fetch-site': 'same-origin', 'x-postil-csrf': '1' }
type Refused = { readonly second_factor?: string }
const signIn = ({ username, password }: TestUser, more: object = {}, from = server) =>
  from.as(null).post<Refused>('/session', { username, password, ...more }, ours)
const token = async ({ username, password }: TestUser, code?: string) => {
  const body = new URLSearchParams({ username, password, ...(code !== undefined && { code }) })
  return (await fetch(`${server.url}/api/v1/token`, { method: 'POST', body })).status
}
const cookieOf = (answer: { readonly headers: Headers }) => answer.headers.get('set-cookie')?.split(';')[0] ?? ''
const me = async (cookie: string) => (await server.as(null).get('/me', { cookie })).status

it('counts from the first code of the app on: then the password alone lets nobody in, and a code works once', async () => {
  const user = await server.createUser()
  const client = server.as(user)
  const app = await begun(client, user)
  expect(app.uri).toContain(`secret=${app.secret}`)
  expect(app.uri).toMatch(/^otpauth:\/\/totp\/Postil:/)
  // A secret that was only shown does not lock anybody out.
  expect((await signIn(user)).status).toBe(201)
  expect(await client.put('/me/second-factor', { code: '000000' })).toMatchObject({ status: 422 })
  const first = codeOf(app)
  const { body } = await client.put<RecoveryCodes>('/me/second-factor', { code: first })
  expect(new Set(body.recovery_codes).size).toBe(10)
  expect(await signIn(user)).toMatchObject({ status: 401, body: { second_factor: 'needed' } })
  expect(await token(user)).toBe(401)
  for (const code of [first, '000000', 'ABCD-EFGH-JKLM', 'x'.repeat(1000)])
    expect(await signIn(user, { code })).toMatchObject({ status: 401, body: { second_factor: 'wrong' } })
  // Who does not know the password is told nothing of it.
  const wrong = await signIn({ ...user, password: 'wrong' }, { code: codeOf(app, 1) })
  expect([wrong.status, wrong.body.second_factor]).toEqual([401, undefined])
  const next = codeOf(app, 1)
  const both = await Promise.all([signIn(user, { code: `${next.slice(0, 3)} ${next.slice(3)}` }), signIn(user, { code: next })])
  expect(both.map(({ status }) => status).sort()).toEqual([201, 401])
  // Keys are credentials of their own.
  expect((await client.get('/me')).status).toBe(200)
})

it('is sealed in the store', async () => {
  const user = await server.createUser()
  const { app, codes } = await activated(server.as(user), user)
  const kept = JSON.stringify(await server.app.ctx.store.read(findFactor, { user_id: user.id }))
  for (const secret of [app.secret, ...codes, ...codes.map((code) => code.replaceAll('-', ''))])
    expect(kept).not.toContain(secret)
})

it('leaves none of its codes in the database, of the recovery codes their SHA-256 alone', async () => {
  const user = await server.createUser()
  const { app, codes } = await activated(server.as(user), user)
  expect((await signIn(user, { code: codes[0] })).status).toBe(201)
  const renewed = await server.as(user).post<RecoveryCodes>('/me/second-factor/recovery-codes', { code: codes[1] })
  const given = [...codes, ...renewed.body.recovery_codes]
  expect(new Set(given).size).toBe(20)
  const kept = await everything(server)
  // What is looked for would be found: the name of the user is there.
  expect(kept).toContain(user.username)
  for (const code of [app.secret, ...given]) {
    for (const form of [code, code.replaceAll('-', '')]) {
      expect(kept.toLowerCase()).not.toContain(form.toLowerCase())
      expect(kept).not.toContain(Buffer.from(form).toString('hex'))
      expect(kept).not.toContain(Buffer.from(form).toString('base64').replace(/=+$/, ''))
    }
  }
  const { recovery } = (await server.app.ctx.store.read(findFactor, { user_id: user.id })) ?? {}
  const hashes = renewed.body.recovery_codes.map((code) => createHash('sha256').update(code.replaceAll('-', '')).digest('hex'))
  expect(recovery).toEqual(hashes)
})

it('leaves ten recovery codes for the day when the device is lost, each of which works once, also for a bearer token', async () => {
  const user = await server.createUser()
  const client = server.as(user)
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

it('ends all other sessions and tokens when it begins to count, and is removed by password and code only', async () => {
  const user = await server.createUser()
  const [one, two] = [cookieOf(await signIn(user)), cookieOf(await signIn(user))]
  const browser = { cookie: one, ...ours }
  const app = (
    await server.as(null).post<{ secret: string; uri: string }>('/me/second-factor', { current_password: user.password }, browser)
  ).body
  const answer = await server.as(null).put<RecoveryCodes>('/me/second-factor', { code: codeOf(app) }, browser)
  expect([await me(one), await me(two), await me(cookieOf(answer))]).toEqual([401, 401, 200])
  const client = server.as(user)
  const remove = (body: object) => client.post('/me/second-factor/remove', body)
  const code = answer.body.recovery_codes[0]
  expect((await remove({ current_password: 'wrong', code })).status).toBe(422)
  expect((await remove({ current_password: user.password, code: '000000' })).status).toBe(422)
  expect((await remove({ current_password: user.password, code })).status).toBe(204)
  expect((await signIn(user)).status).toBe(201)
})

it('cannot be guessed at by whoever has the password, with or without asking first', async () => {
  const guarded = await bootServer({ env: { POSTIL_SIGN_IN_ATTEMPTS: '4' } })
  const user = await guarded.createUser()
  await activated(guarded.as(user), user)
  const tries: number[] = []
  for (const more of [{}, { code: '000001' }, {}, { code: '000002' }, { code: '000003' }, {}])
    tries.push((await signIn(user, more, guarded)).status)
  expect(tries).toEqual([401, 401, 401, 401, 429, 429])
  await guarded.close()
})

it('is removed by an owner for somebody whose device is lost, which the audit log keeps, and goes with the user', async () => {
  const user = await server.createUser({ role: 'admin' })
  await activated(server.as(user), user)
  const owner = server.as(server.owner)
  expect((await server.as(user).delete(`/users/${user.id}/second-factor`)).status).toBe(403)
  expect((await owner.delete(`/users/${user.id}/second-factor`)).status).toBe(204)
  expect((await signIn(user)).status).toBe(201)
  const { body } = await owner.get<{ items: { action: string }[] }>(`/audit?target_id=${user.id}`)
  expect(body.items.map(({ action }) => action)).toContain('users.remove_second_factor')
  await activated(server.as(user), user)
  await owner.delete(`/users/${user.id}`)
  expect(await server.app.ctx.store.read(findFactor, { user_id: user.id })).toBeNull()
})
