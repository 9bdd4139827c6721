import type { Session, Token } from '@postil/contract/people/auth.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLinkFor } from './service.ts'

let server: TestServer
let user: TestUser
beforeAll(async () => {
  server = await bootServer()
  user = await server.createUser({ username: 'ann' })
})
afterAll(() => server.close())

type Headers_ = { readonly [name: string]: string }
const sameOriginHeaders: Headers_ = { 'sec-fetch-site': 'same-origin', 'x-postil-csrf': '1' }

const signIn = async (
  from = server,
  body: unknown = { username: user.username, password: user.password },
  headers = sameOriginHeaders,
) => {
  const answer = await from.clientFor(null).post<Session>('/session', body, headers)
  const setCookie = answer.headers.get('set-cookie') ?? ''
  return { ...answer, setCookie, cookie: setCookie.split(';')[0] ?? '' }
}
const withCookie = (cookie: string, headers: Headers_ = sameOriginHeaders) => ({ cookie, ...headers })
const me = async (cookie: string, from = server) => (await from.clientFor(null).get('/me', { cookie })).status

describe('signing in', () => {
  it('sets a cookie that scripts can’t read and other sites don’t send', async () => {
    const { status, body, setCookie } = await signIn()
    expect(status).toBe(201)
    expect(body).toMatchObject({ user: { id: user.id, api_key: user.api_key } })
    expect(Math.abs(Date.parse(`${body.expires_at}Z`) - Date.now() - 30 * 86_400_000)).toBeLessThan(60_000)
    expect(setCookie).toMatch(/^postil_session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/)
  })

  it('makes the cookie secure on an HTTPS address', async () => {
    const { setCookie } = await signIn(server, undefined, { ...sameOriginHeaders, 'x-forwarded-proto': 'https' })
    expect(setCookie).toMatch(/^__Host-postil_session=.*; Secure$/)
    const proxied = await bootServer({ env: { POSTIL_PUBLIC_URL: 'https://annotate.example.org', POSTIL_BASE_URL: '/team' } })
    const answer = await signIn(proxied, { username: 'owner', password: proxied.owner.password })
    expect(answer.setCookie).toMatch(/^__Secure-postil_session=/)
    expect(answer.setCookie).toContain('; Path=/team/; HttpOnly; SameSite=Lax; Secure')
    await proxied.close()
    const space = await bootServer({ env: { SPACE_ID: 'org/space' } })
    const framed = await signIn(space, { username: 'owner', password: space.owner.password })
    expect(framed.setCookie).toContain('; HttpOnly; SameSite=None; Secure; Partitioned')
    await space.close()
  })

  it('accepts only a cookie over HTTPS that no sibling site could have set', async () => {
    const secure = { 'x-forwarded-proto': 'https' }
    const { cookie } = await signIn(server, undefined, { ...sameOriginHeaders, ...secure })
    const meWith = async (sent: string) => (await server.clientFor(null).get('/me', { cookie: sent, ...secure })).status
    expect(await meWith(cookie)).toBe(200)
    expect(await meWith(cookie.replace('__Host-', ''))).toBe(401)
    expect(await meWith(cookie.replace('__Host-', '__Secure-'))).toBe(401)
  })

  it('rejects wrong credentials, forms and other sites', async () => {
    expect((await signIn(server, { username: 'ann', password: 'wrong' })).status).toBe(401)
    expect((await signIn(server, { username: 'ann' })).status).toBe(422)
    const right = { username: 'ann', password: user.password }
    for (const headers of [
      { 'sec-fetch-site': 'cross-site', 'x-postil-csrf': '1' },
      { 'sec-fetch-site': 'same-site', 'x-postil-csrf': '1' },
      { origin: 'https://evil.example.org', 'x-postil-csrf': '1' },
      { 'sec-fetch-site': 'same-origin' },
      {},
    ] as Headers_[]) {
      const answer = await signIn(server, right, headers)
      expect([answer.status, answer.setCookie]).toEqual([403, ''])
    }
    expect((await signIn(server, right, { 'x-postil-csrf': '1' })).status).toBe(201)
  })

  it('ends the browser’s previous session', async () => {
    const first = await signIn()
    await server.clientFor(null).post('/session', { username: 'ann', password: user.password }, withCookie(first.cookie))
    expect(await me(first.cookie)).toBe(401)
  })

  it('works once with a sign-in link', async () => {
    const token = await createLinkFor(server.app.ctx, user)
    const answer = await server.clientFor(null).post<Session>('/session/link', { token }, sameOriginHeaders)
    expect(answer).toMatchObject({ status: 201, body: { user: { id: user.id } } })
    expect(await me(answer.headers.get('set-cookie')?.split(';')[0] ?? '')).toBe(200)
    expect(await server.clientFor(null).post('/session/link', { token }, sameOriginHeaders)).toMatchObject({ status: 401 })
    expect(await server.clientFor(null).post('/session/link', { token: 'made up' }, sameOriginHeaders)).toMatchObject({
      status: 401,
    })
    const unused = await createLinkFor(server.app.ctx, user)
    expect(
      await server.clientFor(null).post('/session/link', { token: unused }, { 'x-postil-csrf': '1', 'sec-fetch-site': 'none' }),
    ).toMatchObject({
      status: 403,
    })
    const two = await Promise.all(
      [1, 2].map(() => server.clientFor(null).post('/session/link', { token: unused }, sameOriginHeaders)),
    )
    expect(two.map(({ status }) => status).sort()).toEqual([201, 401])
  })
})

/**
 * Waits two seconds, so that more than one second passes on this process's clock. The clock runs at half speed after other tests
 * have set it ahead (`now`).
 */
const moreThanASecond = () => new Promise((resolve) => setTimeout(resolve, 2100))

describe('a session', () => {
  it('returns its user and its expiry', async () => {
    const { cookie, body } = await signIn()
    expect((await server.clientFor(null).get('/session', { cookie })).body).toEqual(body)
    expect(await server.clientFor(user).get('/session')).toMatchObject({ status: 401 })
    expect(await server.clientFor(null).get('/session')).toMatchObject({ status: 401 })
  })

  it('is used only when neither API key nor token is sent', async () => {
    const { cookie } = await signIn()
    expect(await server.clientFor(server.owner).get('/me', { cookie })).toMatchObject({ body: { username: 'owner' } })
    expect(await server.clientFor({ api_key: 'unknown' }).get('/me', { cookie })).toMatchObject({ status: 401 })
    expect(await server.clientFor(null).get('/me', { cookie, authorization: 'Bearer x' })).toMatchObject({ status: 401 })
    expect(await me('postil_session=made-up')).toBe(401)
    expect(await me(`other=1; ${cookie}; more=2`)).toBe(200)
  })

  it('changes nothing for requests from other pages', async () => {
    const { cookie } = await signIn(server, { username: 'owner', password: server.owner.password })
    const create = (headers: Headers_) =>
      server.clientFor(null).post('/workspaces', { name: `w${Math.random()}`.replace('.', '') }, { cookie, ...headers })
    const { host } = new URL(server.url)
    for (const headers of [
      {},
      { 'x-postil-csrf': '1' },
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'cross-site', 'x-postil-csrf': '1' },
      { 'sec-fetch-site': 'cross-site', origin: server.url, 'x-postil-csrf': '1' },
      { origin: 'https://evil.example.org', 'x-postil-csrf': '1' },
      { origin: `https://${host}.evil.example.org`, 'x-postil-csrf': '1' },
      { origin: 'null', 'x-postil-csrf': '1' },
    ] as Headers_[]) {
      expect([headers, (await create(headers)).status]).toEqual([headers, 403])
    }
    expect((await create(sameOriginHeaders)).status).toBe(201)
    expect((await create({ origin: server.url, 'x-postil-csrf': '1' })).status).toBe(201)
    expect(
      (await create({ origin: 'https://front.example.org', 'x-forwarded-host': 'front.example.org', 'x-postil-csrf': '1' }))
        .status,
    ).toBe(201)
    expect((await server.clientFor(null).get('/users', { cookie })).status).toBe(200)
  })

  it('ends on sign-out, including on the server', async () => {
    const { cookie } = await signIn()
    const other = await signIn()
    const answer = await server.clientFor(null).delete('/session', undefined, withCookie(cookie))
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([
      204,
      expect.stringMatching(/^postil_session=; Max-Age=0; Path=\/; HttpOnly/),
    ])
    expect(await me(cookie)).toBe(401)
    expect(await me(other.cookie)).toBe(200)
  })

  it('can be ended everywhere at once, with bearer tokens and open links, while API keys stay valid', async () => {
    const [one, two] = [await signIn(), await signIn()]
    const form = new URLSearchParams({ username: user.username, password: user.password })
    const { access_token } = (await (await fetch(`${server.url}/api/v1/token`, { method: 'POST', body: form })).json()) as Token
    const link = await createLinkFor(server.app.ctx, user)
    expect((await server.clientFor(null).delete('/session/all', undefined, withCookie(one.cookie))).status).toBe(204)
    expect([await me(one.cookie), await me(two.cookie)]).toEqual([401, 401])
    expect(await server.clientFor(null).get('/me', { authorization: `Bearer ${access_token}` })).toMatchObject({ status: 401 })
    expect(await server.clientFor(null).post('/session/link', { token: link }, sameOriginHeaders)).toMatchObject({ status: 401 })
    expect((await server.clientFor(user).get('/me')).status).toBe(200)
    expect(await me((await signIn()).cookie)).toBe(200)
  })

  it('ends with its user and when the password changes', async () => {
    const gone = await server.createUser()
    const { cookie } = await signIn(server, { username: gone.username, password: gone.password })
    await server.clientFor(server.owner).patch(`/users/${gone.id}`, { first_name: 'Other' })
    expect(await me(cookie)).toBe(200)
    await server.clientFor(server.owner).patch(`/users/${gone.id}`, { password: 'a new password' })
    expect(await me(cookie)).toBe(401)
    const again = await signIn(server, { username: gone.username, password: 'a new password' })
    await server.clientFor(server.owner).delete(`/users/${gone.id}`)
    expect(await me(again.cookie)).toBe(401)
  })

  it('expires when idle, and after its maximum lifetime', async () => {
    const short = await bootServer({ env: { POSTIL_SESSION_IDLE: '1' } })
    const idle = await signIn(short, { username: 'owner', password: short.owner.password })
    expect(await me(idle.cookie, short)).toBe(200)
    await moreThanASecond()
    expect(await me(idle.cookie, short)).toBe(401)
    await short.close()
    const brief = await bootServer({ env: { POSTIL_SESSION_MAX: '1' } })
    const whole = await signIn(brief, { username: 'owner', password: brief.owner.password })
    expect(await me(whole.cookie, brief)).toBe(200)
    await moreThanASecond()
    expect(await me(whole.cookie, brief)).toBe(401)
    await brief.close()
  })
})

describe('changing one’s own password', () => {
  const change = (cookie: string, current_password: string, password: string, headers: Headers_ = sameOriginHeaders) =>
    server.clientFor(null).put('/me/password', { current_password, password }, { cookie, ...headers })
  const createSecondSession = async () => {
    const someone = await server.createUser()
    const { cookie } = await signIn(server, { username: someone.username, password: someone.password })
    return { someone, cookie }
  }

  it('requires the old one, ends other sessions and tokens, and renews this session', async () => {
    const { someone, cookie } = await createSecondSession()
    const other = await signIn(server, { username: someone.username, password: someone.password })
    expect(await change(cookie, 'not the old one', 'a new password')).toMatchObject({ status: 422 })
    expect([await me(cookie), await me(other.cookie)]).toEqual([200, 200])
    const answer = await change(cookie, someone.password, 'a new password')
    expect(answer.status).toBe(204)
    const fresh = answer.headers.get('set-cookie')?.split(';')[0] ?? ''
    expect(fresh).not.toBe(cookie)
    expect([await me(cookie), await me(other.cookie), await me(fresh)]).toEqual([401, 401, 200])
    expect((await signIn(server, { username: someone.username, password: someone.password })).status).toBe(401)
    expect((await signIn(server, { username: someone.username, password: 'a new password' })).status).toBe(201)
  })

  it('can’t be done by other sites or by guessing the old one', async () => {
    const { someone, cookie } = await createSecondSession()
    expect((await change(cookie, someone.password, 'a new password', { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    const tries: number[] = []
    for (let i = 0; i < 11; i += 1) tries.push((await change(cookie, `guess ${i}`, 'a new password')).status)
    expect(tries).toEqual([...Array.from({ length: 10 }, () => 422), 429])
  })
})

describe('too many wrong passwords', () => {
  it('delay that user at that address, but neither other users nor the same user elsewhere', async () => {
    const guarded = await bootServer({ env: { POSTIL_TRUST_PROXY: 'true', POSTIL_SIGN_IN_ATTEMPTS: '3' } })
    const victim = await guarded.createUser()
    const attempt = (password: string, address: string, username = victim.username) =>
      guarded.clientFor(null).post('/session', { username, password }, { ...sameOriginHeaders, 'x-forwarded-for': address })
    const wrong = () => attempt('wrong', '10.0.0.1')
    const tries = await Promise.all([wrong(), wrong(), wrong(), wrong(), wrong()])
    expect(tries.map(({ status }) => status).sort()).toEqual([401, 401, 401, 429, 429])
    const late = await attempt(victim.password, '10.0.0.1')
    expect(late).toMatchObject({ status: 429, body: { detail: expect.any(String) } })
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(60)
    expect((await attempt(victim.password, '10.0.0.2')).status).toBe(201)
    expect((await attempt(guarded.owner.password, '10.0.0.1', 'owner')).status).toBe(201)
    const form = new URLSearchParams({ username: victim.username, password: victim.password })
    const headers = { 'x-forwarded-for': '10.0.0.1' }
    expect((await fetch(`${guarded.url}/api/v1/token`, { method: 'POST', body: form, headers })).status).toBe(429)
    expect((await guarded.clientFor(victim).get('/me')).status).toBe(200)
    await guarded.close()
  })

  it('don’t count when another site makes a browser send them', async () => {
    const listed = 'https://tools.example.org'
    const guarded = await bootServer({ env: { POSTIL_SIGN_IN_ATTEMPTS: '1', POSTIL_CORS_ORIGINS: JSON.stringify([listed]) } })
    const token = async (password: string, headers: Headers_) => {
      const body = new URLSearchParams({ username: 'owner', password })
      return (await fetch(`${guarded.url}/api/v1/token`, { method: 'POST', body, headers })).status
    }
    const crossing = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }
    const elsewhere = [
      { origin: 'https://elsewhere.example' },
      { origin: 'null' },
      { origin: 'http://127.0.0.1:1', ...crossing },
      crossing,
      { 'sec-fetch-site': 'same-site' },
    ]
    for (const headers of elsewhere) expect(await token('wrong', headers)).toBe(403)
    const { password } = guarded.owner
    for (const origin of [listed, guarded.url]) expect(await token(password, { origin })).toBe(201)
    expect(await token(password, { origin: listed, ...crossing })).toBe(201)
    await guarded.close()
  })

  it('are cleared by a correct one', async () => {
    const guarded = await bootServer({ env: { POSTIL_SIGN_IN_ATTEMPTS: '3' } })
    const attempt = (password: string) => signIn(guarded, { username: 'owner', password })
    for (let i = 0; i < 4; i += 1) {
      expect((await attempt('wrong')).status).toBe(401)
      expect((await attempt('wrong')).status).toBe(401)
      expect((await attempt(guarded.owner.password)).status).toBe(201)
    }
    await guarded.close()
  })
})
