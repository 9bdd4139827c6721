import type { Session, Token } from '@postil/contract/people/auth.ts'
import type { Webhook } from '@postil/contract/webhooks.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import { logStream } from '@postil/testkit/log-stream.ts'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createSecurityLog } from '#platform/auth/security-log.ts'
import { createLinkFor } from './service.ts'

const sameOriginHeaders = { 'sec-fetch-site': 'same-origin', 'x-postil-csrf': '1' }
const logged = logStream()
let server: TestServer
beforeAll(async () => {
  const log = pino({ level: 'trace', base: null, timestamp: pino.stdTimeFunctions.isoTime }, logged.stream)
  server = await bootServer({
    log,
    env: { POSTIL_ACCESS_LOG: 'true', POSTIL_SLOW_MS: '1', POSTIL_TRUST_PROXY: 'true', POSTIL_SIGN_IN_ATTEMPTS: '3' },
  })
})
afterAll(() => server.close())
beforeEach(() => {
  logged.clear()
})

type Line = { readonly time: string; readonly msg: string; readonly security?: string; readonly [key: string]: unknown }
const lines = (): readonly Line[] =>
  logged
    .text()
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)
const events = () => lines().filter(({ msg }) => msg === 'security')
const from = (address: string) => ({ ...sameOriginHeaders, 'x-forwarded-for': address })
const signIn = (username: string, password: string, address: string) =>
  server.clientFor(null).post<Session>('/session', { username, password }, from(address))
const cookieOf = (headers: Headers) => headers.get('set-cookie')?.split(';')[0] ?? ''

describe('the security log contains', () => {
  it('sign-ins and sign-outs, with user, method, time and address', async () => {
    const user = await server.createUser()
    logged.clear()
    const { headers } = await signIn(user.username, user.password, '203.0.113.1')
    await server.clientFor(null).delete('/session', undefined, { ...from('203.0.113.1'), cookie: cookieOf(headers) })
    const link = await createLinkFor(server.app.ctx, user)
    const again = await server.clientFor(null).post('/session/link', { token: link }, from('203.0.113.2'))
    await server.clientFor(null).delete('/session/all', undefined, { ...from('203.0.113.2'), cookie: cookieOf(again.headers) })
    expect(events()).toMatchObject([
      { security: 'signed in', means: 'password', user: user.id, address: '203.0.113.1' },
      { security: 'signed out', user: user.id, address: '203.0.113.1' },
      { security: 'signed in', means: 'link', user: user.id, address: '203.0.113.2' },
      { security: 'signed out everywhere', user: user.id, address: '203.0.113.2' },
    ])
    for (const line of events())
      expect([line.time, line['request']]).toEqual([expect.stringMatching(/^\d{4}-.*Z$/), expect.any(String)])
  })

  it('failed sign-ins, without the typed text, and lockouts', async () => {
    const user = await server.createUser()
    logged.clear()
    for (let i = 0; i < 4; i += 1) await signIn(user.username, 'wrong', '203.0.113.3')
    await signIn('my password in the wrong field', 'wrong', '203.0.113.4')
    await server.clientFor(null).post('/session/link', { token: 'made up' }, from('203.0.113.4'))
    expect(events()).toMatchObject([
      ...Array.from({ length: 3 }, () => ({ security: 'sign-in failed', user: user.id, address: '203.0.113.3' })),
      { security: 'locked out', address: '203.0.113.3' },
      { security: 'sign-in failed', address: '203.0.113.4' },
      { security: 'sign-in failed', means: 'link', address: '203.0.113.4' },
    ])
    expect(logged.text()).not.toContain('wrong field')
  })

  it('forbidden requests and unknown credentials, but not missing credentials', async () => {
    const user = await server.createUser()
    logged.clear()
    expect((await server.clientFor(user).get('/users', from('203.0.113.5'))).status).toBe(403)
    await server.clientFor({ api_key: 'nobody’s'.replace('’', '') }).get('/me', from('203.0.113.5'))
    await server.clientFor(null).get('/me', from('203.0.113.5'))
    expect(events()).toMatchObject([
      { security: 'not allowed', route: 'users.list', user: user.id, address: '203.0.113.5' },
      { security: 'credentials refused', route: 'users.me' },
    ])
  })

  it('the address reported by the proxy, whatever the client claims, or the connection’s address without a proxy', async () => {
    await signIn('nobody', 'wrong', '6.6.6.6, 203.0.113.9')
    expect(events()).toMatchObject([{ address: '203.0.113.9' }])
    const loggedBefore: object[] = []
    const bare = await bootServer()
    const log = createSecurityLog({ info: (fields) => void loggedBefore.push(fields), warn: () => undefined })
    Object.assign(bare.app.ctx, { security: log })
    await bare.clientFor(null).post('/session', { username: 'nobody', password: 'wrong' }, from('6.6.6.6'))
    expect(loggedBefore).toMatchObject([{ security: 'sign-in failed', address: '127.0.0.1' }])
    await bare.close()
  })

  it('users who send invalid input, and users who must enter a second factor first', async () => {
    const user = await server.createUser({ role: 'owner' })
    logged.clear()
    await server.clientFor(user).post('/workspaces', { name: 5 }, from('203.0.113.9'))
    await server.clientFor(null).post('/session', { username: 'ann' }, from('203.0.113.9'))
    expect(events()).toMatchObject([
      { security: 'input refused', user: user.id, route: 'workspaces.create', address: '203.0.113.9' },
      { security: 'input refused', route: 'session.create', address: '203.0.113.9' },
    ])
    const loggedBefore: object[] = []
    const asking = await bootServer({ env: { POSTIL_SECOND_FACTOR: 'everyone' } })
    const log = createSecurityLog({ info: (fields) => void loggedBefore.push(fields), warn: () => undefined })
    Object.assign(asking.app.ctx, { security: log })
    const form = new URLSearchParams({ username: 'owner', password: asking.owner.password })
    const { access_token } = (await (await fetch(`${asking.url}/api/v1/token`, { method: 'POST', body: form })).json()) as Token
    await asking.clientFor(null).get('/users', { authorization: `Bearer ${access_token}` })
    expect(loggedBefore[1]).toMatchObject({ security: 'not allowed', user: asking.owner.id, route: 'users.list' })
    await asking.close()
  })

  it('no line forged by its own subject', async () => {
    await signIn('x"}\n{"level":60,"msg":"forged"}\r\n', 'wrong', '203.0.113.6')
    await server.clientFor(null).get('/me', {
      ...sameOriginHeaders,
      'x-argilla-api-key': 'k',
      'user-agent': '{"msg":"forged"}',
      'x-forwarded-for': '203.0.113.6',
    })
    await fetch(`${server.url}/api/v1/%0a%7b%22msg%22:%22forged%22%7d`)
    expect(lines().filter(({ msg }) => msg === 'forged')).toEqual([])
  })
})

it('no secrets, whatever happens to them', async () => {
  const planted = 'planted-8471'
  const password = `${planted}-password`
  const user = await server.createUser({ password, username: 'planted', role: 'owner' })
  const owner = server.clientFor(server.owner)
  const secrets: string[] = [password, user.api_key, server.owner.api_key, server.owner.password]
  logged.clear()
  const signed = await signIn('planted', password, '203.0.113.7')
  secrets.push(cookieOf(signed.headers).split('=')[1] ?? '')
  const form = new URLSearchParams({ username: 'planted', password })
  const { access_token } = (await (await fetch(`${server.url}/api/v1/token`, { method: 'POST', body: form })).json()) as Token
  secrets.push(access_token)
  await server.clientFor(null).get('/me', { authorization: `Bearer ${access_token}` })
  await server.clientFor(null).get('/me', { authorization: `Bearer ${access_token}x` })
  await signIn('planted', `${password}-wrong`, '203.0.113.7')
  await server.clientFor(null).post('/session', `{"username":"planted","password":"${password}"`, from('203.0.113.7'))
  await owner.patch(`/users/${user.id}`, { password: `${planted}-other-password` })
  await owner.post('/users', { username: 'planted', first_name: 'x', password: `${planted}-third` })
  const changed = await owner.post<{ api_key: string }>(`/users/${user.id}/api-key`)
  secrets.push(changed.body.api_key)
  const webhook = await owner.post<Webhook>('/webhooks', { url: `http://127.0.0.1:9/${planted}`, events: ['record.created'] })
  secrets.push(webhook.body.secret)
  await owner.post(`/webhooks/${webhook.body.id}/ping`)
  const link = await createLinkFor(server.app.ctx, user)
  secrets.push(link)
  await server.clientFor(null).post('/session/link', { token: link }, from('203.0.113.8'))
  await fetch(`${server.url}/oauth/github/callback?code=${planted}-code&state=${planted}-state`)
  await fetch(`${server.url}/api/v1/oauth2/providers/github/access-token?code=${planted}-code&state=${planted}-state`)
  await owner.get(`/me/hub/repository?name=a/b`, { 'x-postil-hub-token': `${planted}-hub` })
  expect(logged.text().length).toBeGreaterThan(1000)
  for (const secret of secrets) expect([secret, secret.length > 7 && logged.text().includes(secret)]).toEqual([secret, false])
  expect(
    logged
      .text()
      .split('\n')
      .filter((line) => /planted-8471-(?!$)/.test(line)),
  ).toEqual([])
})

it('counts instead of lines for many refusals from one address, without affecting other addresses', () => {
  const written: object[] = []
  let at = 0
  const write = (fields: object) => void written.push(fields)
  const log = createSecurityLog({ info: write, warn: write }, () => at)
  for (let i = 0; i < 1000; i += 1) log.note('sign-in failed', { address: 'a', request: String(i) })
  expect(written).toHaveLength(120)
  log.note('not allowed', { address: 'a', request: 'of another kind' })
  expect(written.splice(120)).toMatchObject([{ security: 'not allowed' }])
  log.note('sign-in failed', { address: 'b', request: 'b' })
  log.note('signed in', { address: 'a', request: 'in', user: 'u' })
  expect(written).toHaveLength(122)
  at = 60_001
  log.note('sign-in failed', { address: 'a', request: 'later' })
  expect(written.slice(122)).toMatchObject([
    { security: 'more of the same', event: 'sign-in failed', address: 'a', times: 880 },
    { request: 'later' },
  ])
})
