import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import { afterAll, beforeAll, expect, it, test } from 'vitest'

let server: TestServer
let plainServer: TestServer
beforeAll(async () => {
  ;[server, plainServer] = await Promise.all([bootServer({ env: { POSTIL_DEMO_USER: 'guest' } }), bootServer()])
})
afterAll(() => Promise.all([server.close(), plainServer.close()]))

const own = { 'x-postil-csrf': '1', 'sec-fetch-site': 'same-origin' }
const enterDemo = (to: TestServer, headers: { readonly [name: string]: string } = own) =>
  fetch(`${to.url}/api/v1/session/demo`, { method: 'POST', headers: { origin: to.url, ...headers } })
const settings = async (of: TestServer) => (await fetch(`${of.url}/api/v1/settings`)).json()

it('doesn’t exist unless the operator names its user', async () => {
  expect((await enterDemo(plainServer)).status).toBe(404)
  expect(await settings(plainServer)).not.toHaveProperty('demo')
})

it('is announced before sign-in, and signs everyone in as its user, from Postil’s own page only', async () => {
  expect(await settings(server)).toMatchObject({ demo: { username: 'guest' } })
  expect((await enterDemo(server)).status).toBe(403)
  await server.createUser({ role: 'annotator', username: 'guest' })
  const answer = await enterDemo(server)
  expect([answer.status, await answer.json()]).toMatchObject([201, { user: { username: 'guest', role: 'annotator' } }])
  const [cookie = ''] = answer.headers.getSetCookie()
  expect(cookie).toMatch(/HttpOnly/)
  const me = await fetch(`${server.url}/api/v1/me`, { headers: { cookie: cookie.split(';')[0] ?? '' } })
  expect(await me.json()).toMatchObject({ username: 'guest' })
  expect((await enterDemo(server, { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' })).status).toBe(403)
})

it('is an account that visitors can’t change for each other, while the operator can', async () => {
  const shared = await bootServer({ env: { POSTIL_DEMO_USER: 'guest' } })
  const guest = await shared.createUser({ role: 'annotator', username: 'guest', password: 'only the operator knows' })
  const visit = async () => {
    const entered = await enterDemo(shared)
    expect(await entered.json()).toMatchObject({ user: { shared: true, api_key: '' } })
    return { ...own, origin: shared.url, cookie: entered.headers.getSetCookie()[0]?.split(';')[0] ?? '' }
  }
  const [first, second] = [await visit(), await visit()]
  const ask = async (method: string, path: string, body?: object, headers: { readonly [name: string]: string } = first) => {
    const sent = body && { body: JSON.stringify(body) }
    const answer = await fetch(`${shared.url}/api/v1${path}`, {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...sent,
    })
    return { status: answer.status, text: await answer.text() }
  }
  expect(JSON.parse((await ask('GET', '/me')).text)).toMatchObject({ shared: true, api_key: '' })
  const listed = JSON.parse((await ask('GET', '/me/sessions')).text)
  expect(listed.items).toMatchObject([{ current: true }])
  for (const [method, path, body] of [
    ['POST', `/users/${guest.id}/api-key`],
    ['PUT', '/me/password', { current_password: 'only the operator knows', password: 'another one of theirs' }],
    ['DELETE', '/session/all'],
    ['DELETE', `/me/sessions/${listed.items[0].id}`],
    ['POST', '/me/second-factor', { current_password: 'only the operator knows' }],
    ['DELETE', '/me/identities?provider=google'],
  ] as const) {
    const refused = await ask(method, path, body)
    expect([path, refused.status, refused.text]).toEqual([path, 403, expect.stringContaining('share this demo account')])
  }
  expect((await ask('GET', '/me', undefined, second)).status).toBe(200)
  // Signing out ends only the visitor's own session.
  expect((await ask('DELETE', '/session')).status).toBe(204)
  expect((await ask('GET', '/me', undefined, second)).status).toBe(200)
  // A request with the API key isn't treated as coming from a demo visitor.
  const key = { 'x-argilla-api-key': guest.api_key }
  expect(JSON.parse((await ask('GET', '/me', undefined, key)).text)).not.toHaveProperty('shared')
  expect((await ask('POST', `/users/${guest.id}/api-key`, undefined, key)).status).toBe(200)
  await shared.close()
})

test.each(['owner', 'admin'] as const)('can’t use an %s as its user', async (role) => {
  const other = await bootServer({ env: { POSTIL_DEMO_USER: 'boss' } })
  await other.createUser({ role, username: 'boss' })
  expect((await enterDemo(other)).status).toBe(403)
  await other.close()
})

it('ends with its user, and is rate-limited per address', async () => {
  const other = await bootServer({ env: { POSTIL_DEMO_USER: 'guest', POSTIL_SIGN_IN_ATTEMPTS: '1' } })
  const guest = await other.createUser({ role: 'annotator', username: 'guest' })
  expect((await enterDemo(other)).status).toBe(201)
  await other.clientFor(other.owner).patch(`/users/${guest.id}`, { active: false })
  expect((await enterDemo(other)).status).toBe(403)
  for (let left = 8; left > 0; left -= 1) await enterDemo(other)
  expect((await enterDemo(other)).status).toBe(429)
  // The demo limit doesn't affect password sign-ins from the same address.
  const body = JSON.stringify({ username: other.owner.username, password: 'wrong' })
  const headers = { ...own, origin: other.url, 'content-type': 'application/json' }
  expect((await fetch(`${other.url}/api/v1/session`, { method: 'POST', headers, body })).status).toBe(401)
  await other.close()
})
