import type { Session } from '@postil/contract/people/auth.ts'
import type { TestServer } from '@postil/testkit/boot.ts'
import { type IdentityProvider, signInAt, startIdentityProvider } from '@postil/testkit/identity-provider.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { browserOf, byPassword, dueOf, sameOriginHeaders } from '#features/auth/second-factor/testing/sign-in.ts'
import { activated, codeOf } from '#tests/api/testing/second-factor.ts'
import { begin, bootWith, signInAs } from './testing/sign-in.ts'

let provider: IdentityProvider
let server: TestServer
beforeAll(async () => {
  provider = await startIdentityProvider({ accounts: { ann: { preferred_username: 'ann' }, bob: { preferred_username: 'bob' } } })
  const client = `client_id: ${provider.client.id}, client_secret: ${provider.client.secret}, issuer: "${provider.issuer}"`
  server = await bootWith(`providers: [{name: weak, ${client}}, {name: strong, second_factor: true, ${client}}]`, {
    POSTIL_SECOND_FACTOR: 'everyone',
    POSTIL_PUBLIC_URL: 'http://localhost',
    POSTIL_OAUTH_LINK_BY_USERNAME: 'true',
  })
})
afterAll(async () => {
  await server?.close()
  await provider?.close()
})

const signInThrough = async (name: string, login: string, { to = '', link = false, cookie = '' } = {}) => {
  const start = await begin(server, name)
  const back = await signInAt(start.location.href, login)
  const body = { ...Object.fromEntries(back.searchParams), link }
  const headers = { ...sameOriginHeaders, cookie: `${start.cookie}; ${cookie}` }
  return server.clientFor(null).post<Session & { token: string }>(`/session/oauth/${name}${to}`, body, headers)
}

it('a provider counts as one factor, or as two if the operator says so: by session, by token and from a frame', async () => {
  const handed = async (name: string) => {
    const { token } = (await signInThrough(name, 'ann', { to: '/handover' })).body
    return browserOf(await server.clientFor(null).post('/session/link', { token }, sameOriginHeaders))
  }
  const program = async (name: string) => ({
    authorization: `Bearer ${(await signInAs(server, name, 'ann')).body.access_token}`,
  })
  for (const [name, due] of [
    ['weak', 'set_up'],
    ['strong', undefined],
  ] as const) {
    const ways = [browserOf(await signInThrough(name, 'ann')), await handed(name), await program(name)]
    for (const headers of ways) expect([name, await dueOf(server, headers)]).toEqual([name, due])
  }
})

it('a user of a one-factor provider sets up a second factor without a password, and enters codes from then on', async () => {
  const browser = browserOf(await signInThrough('weak', 'ann'))
  const { body: app } = await server.clientFor(null).post<{ secret: string }>('/me/second-factor', {}, browser)
  expect((await server.clientFor(null).put('/me/second-factor', { code: codeOf(app) }, browser)).status).toBe(200)
  const again = browserOf(await signInThrough('weak', 'ann'))
  expect(await dueOf(server, again)).toBe('code')
  const shown = await server.clientFor(null).post('/session/second-factor', { code: codeOf(app, 1) }, again)
  expect(await dueOf(server, browserOf(shown))).toBeUndefined()
})

it('no provider account can be linked before the second factor is entered', async () => {
  const bob = await server.createUser({ username: 'robert' })
  const { cookie = '' } = browserOf(await byPassword(server, bob))
  const refused = await signInThrough('weak', 'bob', { link: true, cookie })
  expect(refused).toMatchObject({ status: 403, body: { code: 'second_factor_due' } })
  expect((await server.clientFor(bob).get('/me/identities')).body).toEqual({ items: [] })
  const { codes } = await activated(server.clientFor(bob), bob)
  const inside = browserOf(await byPassword(server, bob, codes[0]))
  const linked = await signInThrough('weak', 'bob', { link: true, cookie: inside['cookie'] ?? '' })
  expect([linked.status, await dueOf(server, browserOf(linked))]).toEqual([201, undefined])
})
