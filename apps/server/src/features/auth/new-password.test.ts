import type { Token } from '@postil/contract/people/auth.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

type Headers_ = { readonly [name: string]: string }
const sameOriginHeaders: Headers_ = { 'sec-fetch-site': 'same-origin', 'x-postil-csrf': '1' }

let server: TestServer
let someone: TestUser
beforeAll(async () => {
  server = await bootServer()
  someone = await server.createUser({ username: 'someone' })
})
afterAll(() => server.close())

const send = (headers: Headers_) => ({
  create: (username: string, password: string) =>
    server.clientFor(null).post<{ id: string }>('/users', { username, first_name: 'First', password }, headers),
  change: (id: string, change: object) => server.clientFor(null).patch(`/users/${id}`, change, headers),
  remove: (id: string) => server.clientFor(null).delete(`/users/${id}`, undefined, headers),
  changeMine: (current_password: string, password: string) =>
    server.clientFor(null).put('/me/password', { current_password, password }, headers),
})
const signIn = async (username: string, password: string) => {
  const { status, headers } = await server.clientFor(null).post('/session', { username, password }, sameOriginHeaders)
  return { status, headers: { ...sameOriginHeaders, cookie: headers.get('set-cookie')?.split(';')[0] ?? '' } }
}
const blanks = ' '.repeat(8)
const outOfBounds = ['1234567', 'x'.repeat(101)]

describe('a password chosen by a person', () => {
  it('is rejected if it is common or names this service, for every user', async () => {
    const owner = send((await signIn('owner', server.owner.password)).headers)
    const sendAsUser = send((await signIn('someone', someone.password)).headers)
    const byKey = send({ 'x-argilla-api-key': someone.api_key })
    for (const password of ['password1', 'postil-2026', 'someone99', blanks, ...outOfBounds]) {
      const refused = { password, status: 422 }
      expect({ password, status: (await sendAsUser.changeMine(someone.password, password)).status }).toEqual(refused)
      expect({ password, status: (await byKey.changeMine(someone.password, password)).status }).toEqual(refused)
      expect({ password, status: (await owner.change(someone.id, { password })).status }).toEqual(refused)
      expect({ password, status: (await owner.create('someone.', password)).status }).toEqual(refused)
    }
    expect((await owner.change(someone.id, { username: 'qwertyui', password: 'Qwertyui7' })).status).toBe(422)
    expect((await owner.create('chosen for', 'few others have it')).status).toBe(201)
  })

  it('can be anything else, and is used exactly as typed', async () => {
    const sendAsUser = send((await signIn('someone', someone.password)).headers)
    const long = `  ${'Ünïcode 🐟 '.repeat(9)}`.slice(0, 90)
    expect((await sendAsUser.changeMine(someone.password, long)).status).toBe(204)
    for (const [password, status] of [
      [long, 201],
      [long.trim(), 401],
      [long.slice(0, 72), 401],
      [long.toLowerCase(), 401],
    ] as const) {
      expect([password, (await signIn('someone', password)).status]).toEqual([password, status])
    }
  })
})

it('a password set by a program follows the length limits of the published wire, and may be a common one', async () => {
  const owner = { username: 'owner', password: server.owner.password }
  const form = new URLSearchParams(owner)
  const { access_token } = (await (await fetch(`${server.url}/api/v1/token`, { method: 'POST', body: form })).json()) as Token
  // A script that runs in a signed-in browser sends both the session cookie and an API key.
  const { cookie = '' } = (await signIn('owner', owner.password)).headers as Headers_
  for (const way of [
    { 'x-argilla-api-key': server.owner.api_key },
    { authorization: `Bearer ${access_token}` },
    { 'x-argilla-api-key': server.owner.api_key, cookie },
  ]) {
    const program = send(way)
    for (const password of ['12345678', 'argilla1', 'program1', blanks]) {
      const made = await program.create('program', password)
      expect([password, made.status]).toEqual([password, 201])
      expect((await signIn('program', password)).status).toBe(201)
      const changed = await program.change(made.body.id, { password: 'password', username: 'password' })
      expect([password, changed.status]).toEqual([password, 200])
      expect((await signIn('password', 'password')).status).toBe(201)
      await program.remove(made.body.id)
    }
    for (const password of outOfBounds) {
      expect([password, (await program.create('none', password)).status]).toEqual([password, 422])
      expect([password, (await program.change(someone.id, { password })).status]).toEqual([password, 422])
    }
  }
})
