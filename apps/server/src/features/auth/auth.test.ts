import { createHmac, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hash as bcryptHash } from '@node-rs/bcrypt'
import type { Token } from '@postil/contract/people/auth.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createUser } from '#features/users/commands.ts'
import { getUser } from '#features/users/queries.ts'
import { findUserToSignIn } from '#platform/auth/user-queries.ts'

const KEY = 'a signing key of the tests, 32 bytes and more'
let server: TestServer
let user: TestUser
beforeAll(async () => {
  server = await bootServer({ env: { ARGILLA_AUTH_SECRET_KEY: KEY, ARGILLA_AUTH_TOKEN_EXPIRATION: '3600' } })
  user = await server.createUser({ first_name: 'Ünal', username: 'ünal' })
})
afterAll(() => server.close())

const token = (username: string, password: string, from = server) =>
  fetch(`${from.url}/api/v1/token`, { method: 'POST', body: new URLSearchParams({ username, password }) })
const me = (headers: { [name: string]: string }) => server.clientFor(null).get('/me', headers)
const unauthorized = (detail: string) => ({
  status: 401,
  body: { detail: { code: 'argilla.api.errors::UnauthorizedError', params: { detail } } },
})
const noCredentials = unauthorized('Could not validate credentials')
const badToken = unauthorized('Invalid token')
const sign = (claims: { [name: string]: unknown }, key = KEY, seconds = 60) =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime(Math.floor(Date.now() / 1000) + seconds)
    .sign(Buffer.from(key))
const bearer = (jwt: string) => ({ authorization: `Bearer ${jwt}` })

describe('POST /token', () => {
  it('returns a bearer token with the claims of the wire', async () => {
    const answer = await token('ünal', user.password)
    expect(answer.status).toBe(201)
    const { access_token, token_type } = (await answer.json()) as Token
    expect(token_type).toBe('bearer')
    const claims = decodeJwt(access_token)
    expect(claims).toMatchObject({ identity: user.id, name: 'Ünal', username: 'ünal', role: 'annotator' })
    expect(Math.abs((claims.exp ?? 0) - Date.now() / 1000 - 3600)).toBeLessThan(5)
    expect(await me(bearer(access_token))).toMatchObject({ status: 200, body: { id: user.id } })
  })

  it('gives the same response for a wrong password, an unknown user and an impossible username', async () => {
    for (const [name, password] of [
      ['ünal', 'wrong'],
      ['nobody', user.password],
      ['Ünal', user.password],
      ['\0', 'x'],
      ['', ''],
      ['ünal', 'x'.repeat(5000)],
    ] as const) {
      const answer = await token(name, password)
      expect({ status: answer.status, body: await answer.json() }).toEqual(noCredentials)
    }
  })

  it('accepts passwords of any length, and rehashes a matching hash of the published server', async () => {
    const { store } = server.app.ctx
    const password_hash = await bcryptHash('abc', 4)
    const row = {
      id: null,
      first_name: 'O',
      last_name: null,
      username: 'old',
      role: 'annotator',
      is_agent: false,
      password_hash,
    } as const
    await store.write(createUser, { ...row, api_key_hash: 'none', api_key_sealed: 'none' })
    expect((await token('old', 'abd')).status).toBe(401)
    expect((await store.read(findUserToSignIn, { username: 'old' }))?.password_hash).toBe(password_hash)
    expect((await token('old', 'abc')).status).toBe(201)
    expect((await store.read(findUserToSignIn, { username: 'old' }))?.password_hash).toMatch(/^\$argon2id\$/)
    expect((await token('old', 'abc')).status).toBe(201)
    expect((await token('old', 'abd')).status).toBe(401)
  })
})

describe('a bearer token', () => {
  it('is rejected when it is malformed, expired, wrongly signed, unsigned or without an expiry', async () => {
    const identity = user.id
    const [head, body] = (await sign({ identity })).split('.')
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.`
    const other = createHmac('sha384', KEY).update(`${head}.${body}`).digest('base64url')
    const endless = await new SignJWT({ identity }).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(KEY))
    for (const jwt of [
      'x',
      'a.b.c',
      await sign({ identity }, `${KEY}!`),
      await sign({ identity }, KEY, -5),
      none,
      `${head}.${body}.${other}`,
      endless,
      await sign({}),
      await sign({ identity: 'owner' }),
      await sign({ identity: 7 }),
    ]) {
      expect([jwt, await me(bearer(jwt))]).toMatchObject([jwt, badToken])
    }
  })

  it('is rejected when its header contains or points to its signing key, which is never fetched', async () => {
    const { publicKey, privateKey } = await generateKeyPair('RS256')
    const secret = randomBytes(32)
    const [jwk, oct] = [await exportJWK(publicKey), { kty: 'oct', k: secret.toString('base64url'), alg: 'HS256', kid: 'own' }]
    let asked = 0
    const host = createServer((_, response) => {
      asked += 1
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [oct, { ...jwk, kid: 'own' }] }))
    })
    await new Promise<void>((done) => host.listen(0, '127.0.0.1', done))
    const address = `http://127.0.0.1:${(host.address() as AddressInfo).port}/keys`
    const signed = (header: object, alg: string, key: Uint8Array | typeof privateKey) =>
      new SignJWT({ identity: server.owner.id })
        .setProtectedHeader({ ...header, alg })
        .setExpirationTime('1m')
        .sign(key)
    for (const header of [
      { jwk },
      { jwk: oct },
      { jku: address, kid: 'own' },
      { x5u: address },
      { kid: 'own' },
      { kid: '../../../../dev/null' },
      { kid: "' UNION SELECT 'own' --" },
    ]) {
      for (const [alg, key] of [
        ['RS256', privateKey] as const,
        ['HS256', secret] as const,
        ['HS256', Buffer.alloc(32)] as const,
      ]) {
        const jwt = await signed(header, alg, key)
        expect([header, alg, await me(bearer(jwt))]).toMatchObject([header, alg, badToken])
      }
    }
    expect(asked).toBe(0)
    // The header has no effect on a token with our own signature.
    const both = await signed({ jku: address, kid: 'own', jwk: oct }, 'HS256', Buffer.from(KEY))
    expect([(await me(bearer(both))).status, asked]).toEqual([200, 0])
    await new Promise((done) => host.close(done))
  })

  it('is looked up by user ID: neither its name nor its role counts', async () => {
    const jwt = await sign({ identity: user.id, username: 'owner', role: 'owner' })
    expect(await me(bearer(jwt))).toMatchObject({ status: 200, body: { username: 'ünal', role: 'annotator' } })
    expect(await server.clientFor(null).get('/users', bearer(jwt))).toMatchObject({ status: 403 })
  })

  it('ends with its user, and a new user with the same name doesn’t inherit it', async () => {
    const gone = await server.createUser({ username: 'again' })
    const { access_token } = (await (await token('again', gone.password)).json()) as Token
    await server.clientFor(server.owner).delete(`/users/${gone.id}`)
    await server.createUser({ username: 'again' })
    expect(await me(bearer(access_token))).toMatchObject(noCredentials)
  })

  it('ends when the password changes, and a newer token works', async () => {
    const changing = await server.createUser()
    const before = (await (await token(changing.username, changing.password)).json()) as Token
    await server.clientFor(server.owner).patch(`/users/${changing.id}`, { password: 'another one' })
    expect(await me(bearer(before.access_token))).toMatchObject(noCredentials)
    expect((await token(changing.username, changing.password)).status).toBe(401)
    const after = (await (await token(changing.username, 'another one')).json()) as Token
    expect((await me(bearer(after.access_token))).status).toBe(200)
  })
})

describe('an API key', () => {
  it('takes precedence, and an unknown key falls back to the token', async () => {
    const jwt = await sign({ identity: server.owner.id })
    const key = { 'X-ARGILLA-api-key': user.api_key }
    expect(await me({ ...key, ...bearer(jwt) })).toMatchObject({ body: { username: 'ünal' } })
    expect(await me({ ...key, ...bearer('broken') })).toMatchObject({ status: 200 })
    expect(await me({ 'x-argilla-api-key': 'unknown', ...bearer(jwt) })).toMatchObject({ body: { username: 'owner' } })
    expect(await me({ 'x-argilla-api-key': 'unknown', ...bearer('broken') })).toMatchObject(badToken)
    expect(await me({ 'x-argilla-api-key': 'unknown' })).toMatchObject(noCredentials)
    expect(await me({ authorization: `Basic ${user.api_key}` })).toMatchObject(noCredentials)
  })

  it('is stored encrypted, so the database alone reveals none', async () => {
    const row = await server.app.ctx.store.read(getUser, { id: user.id })
    expect(JSON.stringify(row)).not.toContain(user.api_key)
    expect(server.app.ctx.secrets.decrypt(row?.api_key_sealed ?? '')).toBe(user.api_key)
  })
})

describe('public requests', () => {
  const get = (path: string, from = server) => from.clientFor(null).get(path)

  it('version, status, settings and providers', async () => {
    expect(await get('/version')).toMatchObject({ status: 200, body: { version: '2.8.0' } })
    expect(await get('/status')).toMatchObject({ status: 200, body: { version: '2.8.0' } })
    expect((await get('/settings')).body).toEqual({
      argilla: { share_your_progress_enabled: false },
      answers: { max_bytes: 1_000_000 },
    })
    expect((await get('/oauth2/providers')).body).toEqual({ items: [] })
    expect(await get('/oauth2/providers/github/authentication?x=1')).toMatchObject({ status: 404 })
    expect(await get('/oauth2/providers/github/access-token?code=1&state=2')).toMatchObject({ status: 404 })
  })

  it('the Hub Space around the server', async () => {
    const space = await bootServer({
      env: { SPACE_ID: 'org/space', SPACE_HOST: 'space.example.org', PERSISTANT_STORAGE_ENABLED: 'true' },
    })
    expect((await get('/settings', space)).body).toEqual({
      argilla: { share_your_progress_enabled: false, show_huggingface_space_persistent_storage_warning: true },
      answers: { max_bytes: 1_000_000 },
      huggingface: { space_id: 'org/space', space_host: 'space.example.org', space_persistent_storage_enabled: true },
    })
    await space.close()
  })
})
