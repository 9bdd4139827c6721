import type { Session } from '@postil/contract/people/auth.ts'
import type { TestServer } from '@postil/testkit/boot.ts'
import { type IdentityProvider, signInAt, startIdentityProvider } from '@postil/testkit/identity-provider.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { begin, bootWith, finish, PUBLIC, signInAs, whoHas } from './testing/signing-in.ts'

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

const ours = { 'sec-fetch-site': 'same-origin', 'x-postil-csrf': '1' }

describe('what is configured', () => {
  it('is listed by name, with the title that the operator chose', async () => {
    expect((await server.as(null).get('/oauth2/providers')).body).toEqual({
      items: [
        { name: 'huggingface' },
        { name: 'company', title: 'The Company' },
        { name: 'mistaken' },
        { name: 'down' },
        { name: 'github' },
      ],
    })
  })

  it('has its workspaces from the start, behind the one that clients take where none is named', async () => {
    const { body } = await server.as(server.owner).get<{ items: { name: string }[] }>('/me/workspaces')
    expect(body.items.map(({ name }) => name)).toEqual(['default', 'open-to-all'])
  })

  it('is all there is', async () => {
    for (const path of ['authentication', 'access-token?code=1&state=2']) {
      expect(await server.as(null).get(`/oauth2/providers/unknown/${path}`)).toMatchObject({
        status: 404,
        body: { detail: expect.stringContaining('unknown') },
      })
    }
    expect(await server.as(null).post('/session/oauth/unknown', {}, ours)).toMatchObject({ status: 404 })
  })
})

describe('going to the provider', () => {
  it('carries what the protocol asks for, and a cookie that ties the way back to the browser', async () => {
    const answer = await server.as(null).get('/oauth2/providers/github/authentication?login=ann&omitCTA=true')
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

  it('asks for an id token with a nonce, and each time with other secrets', async () => {
    const [first, second] = await Promise.all([begin(server, 'huggingface'), begin(server, 'huggingface')])
    expect(first.location.searchParams.get('scope')).toBe('openid profile')
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(first.location.searchParams.get(name)?.length).toBeGreaterThan(30)
      expect(first.location.searchParams.get(name)).not.toBe(second.location.searchParams.get(name))
    }
  })

  it('cannot be bent by who made the link', async () => {
    const names = ['state', 'client_id', 'redirect_uri', 'code_challenge', 'code_challenge_method', 'nonce', 'response_type']
    for (const name of [...names, 'response_mode', 'scope', 'request', 'request_uri', 'STATE']) {
      const answer = await server.as(null).get(`/oauth2/providers/github/authentication?${name}=x`)
      expect(answer).toMatchObject({ status: 422, body: { detail: expect.stringContaining(name), reason: 'parameter' } })
      expect([answer.headers.get('location'), answer.headers.get('set-cookie')]).toEqual([null, null])
    }
    expect(await server.as(null).get('/oauth2/providers/github/authentication?a=1&a=2')).toMatchObject({ status: 422 })
  })

  it('that is down is told: to programs in JSON, to people on our own page', async () => {
    const path = '/oauth2/providers/down/authentication'
    expect(await server.as(null).get(path)).toMatchObject({ status: 422, body: { reason: 'unreachable' } })
    const answer = await server.as(null).get(path, { accept: 'text/html,*/*;q=0.8' })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/oauth/down/callback?error=temporarily_unavailable'])
  })
})

describe('coming back', () => {
  it('gives a bearer token to a program, and makes the user that the provider tells of', async () => {
    const answer = await signInAs(server, 'huggingface', 'u-ann')
    expect(answer).toMatchObject({ status: 200, body: { token_type: 'bearer' } })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('set-cookie')).toMatch(/^huggingface_oauth2_state=; HttpOnly; Max-Age=0/)
    expect(await whoHas(server, answer)).toMatchObject({
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
    expect(await server.as(null).post('/session/oauth/huggingface', body, { cookie })).toMatchObject({ status: 403 })
    const stranger = { ...ours, 'sec-fetch-site': 'cross-site', cookie }
    expect(await server.as(null).post('/session/oauth/huggingface', body, stranger)).toMatchObject({ status: 403 })
    const answer = await server.as(null).post<Session>('/session/oauth/huggingface', body, { ...ours, cookie })
    expect(answer).toMatchObject({ status: 201, body: { user: { username: 'ann' } } })
    expect(JSON.stringify(answer.body)).not.toContain('access_token')
    const [session = '', state] = answer.headers.getSetCookie()
    expect(session).toMatch(/^(__Host-)?postil_session=[\w-]{43}; .*HttpOnly; SameSite=Lax; Secure$/)
    expect(state).toMatch(/^huggingface_oauth2_state=; .*Max-Age=0/)
    expect(await server.as(null).get('/me', { cookie: session.split(';')[0] ?? '' })).toMatchObject({ body: { username: 'ann' } })
  })

  it('hands over to a page in a frame by a token that is good once', async () => {
    const { location, cookie } = await begin(server, 'huggingface')
    const body = Object.fromEntries((await signInAt(location.href, 'u-ann')).searchParams)
    const { status, body: given } = await server
      .as(null)
      .post<{ token: string }>('/session/oauth/huggingface/handover', body, { ...ours, cookie })
    expect(status).toBe(201)
    const use = () => server.as(null).post('/session/link', given, ours)
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

  it('leads in once', async () => {
    const { location, cookie } = await begin(server, 'huggingface')
    const back = await signInAt(location.href, 'u-ann')
    const twice = await Promise.all([1, 2].map(() => finish(server, 'huggingface', cookie, back.search)))
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 422])
    expect(await finish(server, 'huggingface', cookie, back.search)).toMatchObject({ status: 422 })
  })

  it('refuses a state that somebody made up, and one of another provider', async () => {
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

  it('refuses an id token that was made for another sign-in', async () => {
    const { location, cookie } = await begin(server, 'huggingface')
    location.searchParams.set('nonce', 'of another sign-in')
    const back = await signInAt(location.href, 'u-ann')
    expect(await finish(server, 'huggingface', cookie, back.search)).toMatchObject({ status: 401, body: { reason: 'refused' } })
  })

  it('tells a refusal of the provider, without repeating what it says', async () => {
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

  it('refuses the answer of another issuer', async () => {
    const { location, cookie } = await begin(server, 'huggingface')
    const back = await signInAt(location.href, 'u-ann')
    back.searchParams.set('iss', 'https://evil.example.org')
    expect(await finish(server, 'huggingface', cookie, back.search)).toMatchObject({ status: 401 })
  })

  it('says so when the provider tells no username', async () => {
    expect(await signInAs(server, 'huggingface', 'u-none')).toMatchObject({
      status: 500,
      body: {
        detail: { code: 'argilla.api.errors::GenericServerError', params: { message: expect.stringContaining('username') } },
      },
    })
  })

  it('waits after too many tries, and forgives those that went well', async () => {
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

  it('counts no try that a page elsewhere could have a browser make: it does not know the state', async () => {
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

it('tells that a provider has gone away meanwhile', async () => {
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
