import type { Session } from '@postil/contract/people/auth.ts'
import type { TestServer } from '@postil/testkit/boot.ts'
import { type IdentityProvider, signInAt, startIdentityProvider } from '@postil/testkit/identity-provider.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { begin, bootWith, finish, PUBLIC, signInAs, userOfToken } from './testing/sign-in.ts'

let provider: IdentityProvider
let down: IdentityProvider
let server: TestServer
beforeAll(async () => {
  ;[provider, down] = await Promise.all([startIdentityProvider(), startIdentityProvider()])
  provider.accounts['u-ann'] = { preferred_username: 'ann', given_name: 'Ann' }
  provider.accounts['u-none'] = {}
  const client = `client_id: ${provider.client.id}\n    client_secret: ${provider.client.secret}`
  server = await bootWith(`providers:
  - name: huggingface
    issuer: ${provider.issuer}
    ${client}
  - name: company
    title: The Company
    issuer: ${provider.issuer}
    scope: openid profile
    ${client}
  - name: mistaken
    issuer: ${provider.issuer}
    client_id: ${provider.client.id}
    client_secret: not the secret
  - name: down
    issuer: ${down.issuer}
    ${client}
  - name: github
    client_id: abc
    client_secret: def
allowed_workspaces:
  - name: open-to-all
`)
  await down.close()
})
afterAll(async () => {
  await server?.close()
  await provider?.close()
})

const sameOriginHeaders = { 'sec-fetch-site': 'same-origin', 'x-postil-csrf': '1' }

describe('the configuration', () => {
  it('lists providers by name, with the configured title', async () => {
    expect((await server.clientFor(null).get('/oauth2/providers')).body).toEqual({
      items: [
        { name: 'huggingface' },
        { name: 'company', title: 'The Company' },
        { name: 'mistaken' },
        { name: 'down' },
        { name: 'github' },
      ],
    })
  })

  it('creates its workspaces at startup, after the default one that clients use', async () => {
    const { body } = await server.clientFor(server.owner).get<{ items: { name: string }[] }>('/me/workspaces')
    expect(body.items.map(({ name }) => name)).toEqual(['default', 'open-to-all'])
  })

  it('excludes unknown providers', async () => {
    for (const path of ['authentication', 'access-token?code=1&state=2']) {
      expect(await server.clientFor(null).get(`/oauth2/providers/unknown/${path}`)).toMatchObject({
        status: 404,
        body: { detail: expect.stringContaining('unknown') },
      })
    }
    expect(await server.clientFor(null).post('/session/oauth/unknown', {}, sameOriginHeaders)).toMatchObject({ status: 404 })
  })
})

describe('starting a provider sign-in', () => {
  it('sends what the protocol requires, and a cookie that ties the callback to the browser', async () => {
    const answer = await server.clientFor(null).get('/oauth2/providers/github/authentication?login=ann&omitCTA=true')
    expect(answer.status).toBe(303)
    const url = new URL(answer.headers.get('location') ?? '')
    expect(url.origin + url.pathname).toBe('https://github.com/login/oauth/authorize')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'abc',
      redirect_uri: `${PUBLIC}/oauth/github/callback`,
      state: expect.stringMatching(/^[A-Za-z]{32}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      login: 'ann',
      omitCTA: 'true',
    })
    const state = url.searchParams.get('state')
    expect(answer.headers.get('set-cookie')).toBe(
      `github_oauth2_state=${state}; HttpOnly; Max-Age=90; Path=/; SameSite=none; Secure`,
    )
  })

  it('requests an ID token with a nonce, with new secrets each time', async () => {
    const [first, second] = await Promise.all([begin(server, 'huggingface'), begin(server, 'huggingface')])
    expect(first.location.searchParams.get('scope')).toBe('openid profile')
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(first.location.searchParams.get(name)?.length).toBeGreaterThan(30)
      expect(first.location.searchParams.get(name)).not.toBe(second.location.searchParams.get(name))
    }
  })

  it('can’t be manipulated by the author of a link', async () => {
    const names = ['state', 'client_id', 'redirect_uri', 'code_challenge', 'code_challenge_method', 'nonce', 'response_type']
    for (const name of [...names, 'response_mode', 'scope', 'request', 'request_uri', 'STATE']) {
      const answer = await server.clientFor(null).get(`/oauth2/providers/github/authentication?${name}=x`)
      expect(answer).toMatchObject({ status: 422, body: { detail: expect.stringContaining(name), reason: 'parameter' } })
      expect([answer.headers.get('location'), answer.headers.get('set-cookie')]).toEqual([null, null])
    }
    expect(await server.clientFor(null).get('/oauth2/providers/github/authentication?a=1&a=2')).toMatchObject({ status: 422 })
  })

  it('reports an unreachable provider in JSON to programs, and on Postil’s own page to people', async () => {
    const path = '/oauth2/providers/down/authentication'
    expect(await server.clientFor(null).get(path)).toMatchObject({ status: 422, body: { reason: 'unreachable' } })
    const answer = await server.clientFor(null).get(path, { accept: 'text/html,*/*;q=0.8' })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/oauth/down/callback?error=temporarily_unavailable'])
  })
})

describe('a provider callback', () => {
  it('returns a bearer token to a program, and creates the user', async () => {
    const answer = await signInAs(server, 'huggingface', 'u-ann')
    expect(answer).toMatchObject({ status: 200, body: { token_type: 'bearer' } })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('set-cookie')).toMatch(/^huggingface_oauth2_state=; HttpOnly; Max-Age=0/)
    expect(await userOfToken(server, answer)).toMatchObject({
      username: 'ann',
      first_name: 'Ann',
      last_name: null,
      role: 'annotator',
      in: ['open-to-all'],
    })
  })

  it('opens a browser session, and never shows the page a token', async () => {
    const { location, cookie } = await begin(server, 'huggingface')
    const body = Object.fromEntries((await signInAt(location.href, 'u-ann')).searchParams)
    expect(await server.clientFor(null).post('/session/oauth/huggingface', body, { cookie })).toMatchObject({ status: 403 })
    const stranger = { ...sameOriginHeaders, 'sec-fetch-site': 'cross-site', cookie }
    expect(await server.clientFor(null).post('/session/oauth/huggingface', body, stranger)).toMatchObject({ status: 403 })
    const answer = await server
      .clientFor(null)
      .post<Session>('/session/oauth/huggingface', body, { ...sameOriginHeaders, cookie })
    expect(answer).toMatchObject({ status: 201, body: { user: { username: 'ann' } } })
    expect(JSON.stringify(answer.body)).not.toContain('access_token')
    const [session = '', state] = answer.headers.getSetCookie()
    expect(session).toMatch(/^(__Host-)?postil_session=[\w-]{43}; .*HttpOnly; SameSite=Lax; Secure$/)
    expect(state).toMatch(/^huggingface_oauth2_state=; .*Max-Age=0/)
    expect(await server.clientFor(null).get('/me', { cookie: session.split(';')[0] ?? '' })).toMatchObject({
      body: { username: 'ann' },
    })
  })

  it('hands over to an embedded page through a one-time token', async () => {
    const { location, cookie } = await begin(server, 'huggingface')
    const body = Object.fromEntries((await signInAt(location.href, 'u-ann')).searchParams)
    const { status, body: given } = await server
      .clientFor(null)
      .post<{ token: string }>('/session/oauth/huggingface/handover', body, { ...sameOriginHeaders, cookie })
    expect(status).toBe(201)
    const use = () => server.clientFor(null).post('/session/link', given, sameOriginHeaders)
    expect(await use()).toMatchObject({ status: 201, body: { user: { username: 'ann' } } })
    expect(await use()).toMatchObject({ status: 401 })
  })

  it('checks code, state and cookie in this order', async () => {
    const { location, cookie, state } = await begin(server, 'huggingface')
    const back = await signInAt(location.href, 'u-ann')
    const before = provider.exchanges()
    const other = await begin(server, 'huggingface')
    for (const [query, sent, detail] of [
      ['', cookie, 'code'],
      [`?state=${state}`, cookie, 'code'],
      ['?code=x', cookie, '`state` is missing'],
      [back.search, '', 'cookie'],
      [back.search, other.cookie, 'cookie'],
      [back.search.replace(state, other.state), cookie, 'cookie'],
      [back.search, cookie.replace('huggingface', 'company'), 'cookie'],
    ] as const) {
      const answer = await finish(server, 'huggingface', sent, query)
      expect(answer).toMatchObject({ status: 422, body: { detail: expect.stringContaining(detail), reason: 'expired' } })
    }
    expect(provider.exchanges()).toBe(before)
    expect((await finish(server, 'huggingface', cookie, back.search)).status).toBe(200)
  })

  it('signs in once', async () => {
    const { location, cookie } = await begin(server, 'huggingface')
    const back = await signInAt(location.href, 'u-ann')
    const twice = await Promise.all([1, 2].map(() => finish(server, 'huggingface', cookie, back.search)))
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 422])
    expect(await finish(server, 'huggingface', cookie, back.search)).toMatchObject({ status: 422 })
  })

  it('rejects a forged state, and one of another provider', async () => {
    const { location, state } = await begin(server, 'huggingface')
    const made = `${'A'.repeat(26)}${state.slice(26)}`
    location.searchParams.set('state', made)
    const back = await signInAt(location.href, 'u-ann')
    expect(await finish(server, 'huggingface', `huggingface_oauth2_state=${made}`, back.search)).toMatchObject({ status: 401 })
    const other = await begin(server, 'company')
    const lent = await signInAt(other.location.href, 'u-ann')
    expect(await finish(server, 'huggingface', `huggingface_oauth2_state=${other.state}`, lent.search)).toMatchObject({
      status: 401,
    })
    const old = `${state.slice(0, 26)}AAAAAA`
    const late = await finish(server, 'huggingface', `huggingface_oauth2_state=${old}`, `?code=x&state=${old}`)
    expect(late).toMatchObject({ status: 422, body: { reason: 'expired' } })
  })

  it('rejects an ID token issued for another sign-in', async () => {
    const { location, cookie } = await begin(server, 'huggingface')
    location.searchParams.set('nonce', 'of another sign-in')
    const back = await signInAt(location.href, 'u-ann')
    expect(await finish(server, 'huggingface', cookie, back.search)).toMatchObject({ status: 401, body: { reason: 'refused' } })
  })

  it('reports a refusal of the provider, without repeating its message', async () => {
    expect(await signInAs(server, 'huggingface', null)).toMatchObject({
      status: 401,
      body: { detail: 'Hugging Face refused the sign-in (access_denied)', reason: 'refused' },
    })
    expect(await finish(server, 'huggingface', '', '?error=%3Cscript%3E')).toMatchObject({
      status: 401,
      body: { detail: 'Hugging Face refused the sign-in (unknown_error)' },
    })
    const { cookie, state } = await begin(server, 'huggingface')
    const wrong = await finish(server, 'huggingface', cookie, `?code=wrong&state=${state}&iss=${provider.issuer}`)
    expect(wrong).toMatchObject({ status: 401, body: { detail: expect.stringContaining('invalid_grant') } })
    const client = await signInAs(server, 'mistaken', 'u-ann')
    expect(client).toMatchObject({ status: 401, body: { detail: expect.stringContaining('invalid_client') } })
    expect(JSON.stringify(client.body)).not.toContain('not the secret')
  })

  it('rejects a response from another issuer', async () => {
    const { location, cookie } = await begin(server, 'huggingface')
    const back = await signInAt(location.href, 'u-ann')
    back.searchParams.set('iss', 'https://evil.example.org')
    expect(await finish(server, 'huggingface', cookie, back.search)).toMatchObject({ status: 401 })
  })

  it('reports a missing username', async () => {
    expect(await signInAs(server, 'huggingface', 'u-none')).toMatchObject({
      status: 500,
      body: {
        detail: { code: 'argilla.api.errors::GenericServerError', params: { message: expect.stringContaining('username') } },
      },
    })
  })

  it('is blocked after too many failed attempts, and successful ones don’t count', async () => {
    const strict = await bootWith(
      `providers: [{name: huggingface, issuer: "${provider.issuer}", client_id: ${provider.client.id}, client_secret: ${provider.client.secret}}]`,
      { POSTIL_SIGN_IN_ATTEMPTS: '1' },
    )
    const guess = async () => {
      const { cookie, state } = await begin(strict, 'huggingface')
      return finish(strict, 'huggingface', cookie, `?code=x&state=${state}`)
    }
    for (let i = 0; i < 8; i += 1) expect((await guess()).status).toBe(401)
    for (let i = 0; i < 3; i += 1) expect((await signInAs(strict, 'huggingface', 'u-ann')).status).toBe(200)
    for (let i = 0; i < 2; i += 1) expect((await guess()).status).toBe(401)
    const answer = await guess()
    expect([answer.status, Number(answer.headers.get('retry-after')) > 0]).toEqual([429, true])
    await strict.close()
  })

  it('doesn’t count requests that another site could trigger without knowing the state', async () => {
    const strict = await bootWith(
      `providers: [{name: huggingface, issuer: "${provider.issuer}", client_id: ${provider.client.id}, client_secret: ${provider.client.secret}}]`,
      { POSTIL_SIGN_IN_ATTEMPTS: '1' },
    )
    const { cookie } = await begin(strict, 'huggingface')
    for (const query of ['', '?error=access_denied', '?code=x', '?code=x&state=x']) {
      for (let i = 0; i < 5; i += 1) expect((await finish(strict, 'huggingface', cookie, query)).status).not.toBe(429)
    }
    expect((await signInAs(strict, 'huggingface', 'u-ann')).status).toBe(200)
    await strict.close()
  })
})

it('reports that the provider has become unreachable', async () => {
  const gone = await startIdentityProvider({ accounts: { 'u-ann': { preferred_username: 'ann' } } })
  const alone = await bootWith(
    `providers: [{name: company, issuer: "${gone.issuer}", client_id: ${gone.client.id}, client_secret: ${gone.client.secret}}]`,
  )
  const { location, cookie } = await begin(alone, 'company')
  const back = await signInAt(location.href, 'u-ann')
  await gone.close()
  expect(await finish(alone, 'company', cookie, back.search)).toMatchObject({ status: 422, body: { reason: 'unreachable' } })
  await alone.close()
})
