import type { NewSecondFactor, RecoveryCodes, SecondFactor } from '@postil/contract/people/second-factor.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import { emptyPlace } from '@postil/testkit/store.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allowedWhileDue } from '#platform/auth/second-factor-duty.ts'
import { activated, codeOf } from '#tests/api/testing/second-factor.ts'
import { send, served } from '#tests/api/testing/send.ts'
import { ageSessions } from './testing/age-sessions.ts'
import { type Browser, browserOf, byLink, byPassword, byToken, dueOf, sameOriginHeaders } from './testing/sign-in.ts'

const required = { POSTIL_SECOND_FACTOR: 'everyone' }
let server: TestServer
beforeAll(async () => {
  server = await bootServer({ env: required })
})
afterAll(() => server.close())

const dueBody = { code: 'second_factor_due', message: expect.stringContaining('second factor') }
const setUp = async (browser: Browser, at = server) => {
  const app = (await at.clientFor(null).post<NewSecondFactor>('/me/second-factor', {}, browser)).body
  const answer = await at.clientFor(null).put<RecoveryCodes>('/me/second-factor', { code: codeOf(app) }, browser)
  return { app, answer, browser: browserOf(answer) }
}

describe('a user who must have a second factor and has none', () => {
  it('can only use the routes that set one up, by session and by token', async () => {
    const user = await server.createUser({ role: 'owner' })
    const browser = browserOf(await byPassword(server, user))
    const token = await byToken(server, user)
    const routes = served.filter(({ access }) => access === 'user')
    expect(routes.length).toBeGreaterThan(100)
    expect([...allowedWhileDue].filter((id) => !routes.some((route) => route.id === id))).toEqual([])
    for (const headers of [browser, token]) {
      for (const { id, bodyKind } of routes.filter((route) => route.id !== 'session.delete')) {
        const answer = await send(server.clientFor(null), id, { headers, ...(bodyKind !== 'none' && { body: {} }) })
        if (allowedWhileDue.has(id)) expect([id, answer.status]).not.toEqual([id, 403])
        else expect([id, answer.status, answer.body]).toEqual([id, 403, dueBody])
      }
    }
    expect(await dueOf(server, browser)).toBe('set_up')
    expect((await server.clientFor(null).delete('/session', undefined, browser)).status).toBe(204)
    expect(await dueOf(server, browser)).toBeNull()
  })

  it('is refused before the body is validated or read, as on every route', async () => {
    const browser = browserOf(await byPassword(server, await server.createUser({ role: 'owner' })))
    expect((await server.clientFor(null).post('/workspaces', { name: ['not one'] }, browser)).status).toBe(403)
    expect((await server.clientFor(null).post('/workspaces', `{"name": "${'x'.repeat(2_000_000)}"}`, browser)).status).toBe(403)
  })

  it('doesn’t receive the API key, which works without a second factor, or a new one', async () => {
    const user = await server.createUser()
    const answer = await byPassword(server, user)
    const browser = browserOf(answer)
    expect(answer.body.user).toMatchObject({ id: user.id, api_key: '', second_factor_due: 'set_up' })
    for (const path of ['/me', '/session']) {
      const refusal = await server.clientFor(null).get(path, browser)
      expect([refusal.status, JSON.stringify(refusal.body).includes(user.api_key)]).toEqual([200, false])
    }
    expect((await server.clientFor(null).post(`/users/${user.id}/api-key`, undefined, browser)).status).toBe(403)
    // API keys need no second factor, so an existing key works.
    expect((await server.clientFor(user).get('/me')).body).toMatchObject({ api_key: user.api_key })
    expect((await server.clientFor(user).get('/me/datasets')).status).toBe(200)
    expect(await dueOf(server, { 'x-argilla-api-key': user.api_key })).toBeUndefined()
  })

  it('gets a new session when the second factor is activated, and all earlier ones end', async () => {
    const user = await server.createUser()
    const [one, other] = [browserOf(await byPassword(server, user)), browserOf(await byPassword(server, user))]
    const token = await byToken(server, user)
    expect((await server.clientFor(null).put('/me/second-factor', { code: '000000' }, one)).status).toBe(409)
    const { app, answer, browser } = await setUp(one)
    expect(answer.body.recovery_codes).toHaveLength(10)
    expect(browser['cookie']).not.toBe(one['cookie'])
    expect(await dueOf(server, browser)).toBeUndefined()
    for (const gone of [one, other, token]) expect(await dueOf(server, gone)).toBeNull()
    expect((await server.clientFor(null).get('/me', browser)).body).toMatchObject({ api_key: user.api_key })
    const again = await byPassword(server, user, codeOf(app, 1))
    expect([again.status, again.body.user.second_factor_due]).toEqual([201, undefined])
    expect(await dueOf(server, await byToken(server, user, answer.body.recovery_codes[0]))).toBeUndefined()
  })

  it('must sign in again after half an hour', async () => {
    const user = await server.createUser()
    const browser = browserOf(await byPassword(server, user))
    const inside = (await setUp(browserOf(await byPassword(server, await server.createUser())))).browser
    await ageSessions(server, 29)
    expect(await dueOf(server, browser)).toBe('set_up')
    await ageSessions(server, 2)
    expect([await dueOf(server, browser), await dueOf(server, inside)]).toEqual([null, undefined])
  })
})

describe('a user with a second factor who signed in without it', () => {
  it('must enter a code first, for a session of another token', async () => {
    const user = await server.createUser()
    const { app, codes } = await activated(server.clientFor(user), user)
    const came = await byLink(server, user)
    const browser = browserOf(came)
    expect(came.body.user).toMatchObject({ api_key: '', second_factor_due: 'code' })
    expect((await server.clientFor(null).get('/me/datasets', browser)).body).toEqual(dueBody)
    const show = (code: string | undefined) => server.clientFor(null).post('/session/second-factor', { code }, browser)
    expect((await server.clientFor(null).post('/me/second-factor', {}, browser)).status).toBe(409)
    expect(await show('000000')).toMatchObject({ status: 422, body: { code: 'wrong_code' } })
    expect(await dueOf(server, browser)).toBe('code')
    const shown = await show(codeOf(app, 1))
    expect(shown).toMatchObject({ status: 200, body: { user: { api_key: user.api_key } } })
    expect([await dueOf(server, browser), await dueOf(server, browserOf(shown))]).toEqual([null, undefined])
    const late = browserOf(await byLink(server, user))
    expect((await server.clientFor(null).post('/session/second-factor', { code: codes[0] }, late)).status).toBe(200)
  })

  it('stays signed in after a password change', async () => {
    const user = await server.createUser()
    const { browser } = await setUp(browserOf(await byPassword(server, user)))
    const change = { current_password: user.password, password: 'a new password' }
    const answer = await server.clientFor(null).put('/me/password', change, browser)
    expect([answer.status, await dueOf(server, browserOf(answer))]).toEqual([204, undefined])
  })

  it('can’t guess codes', async () => {
    const guarded = await bootServer({ env: { ...required, POSTIL_SIGN_IN_ATTEMPTS: '3' } })
    const user = await guarded.createUser()
    await activated(guarded.clientFor(user), user)
    const browser = browserOf(await byLink(guarded, user))
    const tries: number[] = []
    for (let i = 0; i < 5; i += 1)
      tries.push((await guarded.clientFor(null).post('/session/second-factor', { code: `00000${i}` }, browser)).status)
    expect(tries).toEqual([422, 422, 422, 429, 429])
    await guarded.close()
  })
})

it('a required second factor can’t be removed by its user, and after an owner removes it the user must set one up again', async () => {
  const user = await server.createUser()
  const { answer, browser } = await setUp(browserOf(await byPassword(server, user)))
  const body = { current_password: user.password, code: answer.body.recovery_codes[0] }
  for (const headers of [browser, { 'x-argilla-api-key': user.api_key }])
    expect(await server.clientFor(null).post('/me/second-factor/remove', body, headers)).toMatchObject({
      status: 409,
      body: { detail: 'This server requires two-factor authentication, so you cannot turn it off' },
    })
  expect((await server.clientFor(null).get<SecondFactor>('/me/second-factor', browser)).body).toMatchObject({
    required: true,
    recovery_codes: 10,
  })
  const token = await byToken(server, user, answer.body.recovery_codes[1])
  expect(await dueOf(server, token)).toBeUndefined()
  expect((await server.clientFor(server.owner).delete(`/users/${user.id}/second-factor`)).status).toBe(204)
  expect([await dueOf(server, browser), await dueOf(server, token)]).toEqual([null, null])
  expect(await dueOf(server, browserOf(await byPassword(server, user)))).toBe('set_up')
})

it('only owners and admins need a second factor if the server says so, from the moment they get the role', async () => {
  const some = await bootServer({ env: { POSTIL_SECOND_FACTOR: 'owners-and-admins', POSTIL_DEMO_USER: 'guest' } })
  const dues: unknown[] = []
  for (const role of ['owner', 'admin', 'annotator'] as const)
    dues.push(await dueOf(some, browserOf(await byPassword(some, await some.createUser({ role })))))
  expect(dues).toEqual(['set_up', 'set_up', undefined])
  const user = await some.createUser({ username: 'guest' })
  const [browser, token] = [browserOf(await byPassword(some, user)), await byToken(some, user)]
  const demo = browserOf(await some.clientFor(null).post('/session/demo', undefined, sameOriginHeaders))
  expect((await some.clientFor(null).get('/me/datasets', browser)).status).toBe(200)
  expect((await some.clientFor(null).get<SecondFactor>('/me/second-factor', browser)).body.required).toBe(false)
  await some.clientFor(some.owner).patch(`/users/${user.id}`, { role: 'admin' })
  for (const headers of [browser, token, demo])
    expect((await some.clientFor(null).get('/me/datasets', headers)).body).toEqual(dueBody)
  await some.close()
})

it('the requirement applies to sessions and tokens from before it was enabled', async () => {
  const place = await emptyPlace()
  const before = await bootServer({ place })
  const [none, had, turnedOff] = [await before.createUser(), await before.createUser(), await before.createUser()]
  const { app, codes } = await activated(before.clientFor(had), had)
  const weak = [browserOf(await byPassword(before, none)), await byToken(before, none), browserOf(await byLink(before, had))]
  const strong = [browserOf(await byPassword(before, had, codeOf(app, 1))), await byToken(before, had, codes[0])]
  const begun = browserOf(await byPassword(before, turnedOff))
  const app2 = await before
    .clientFor(null)
    .post<NewSecondFactor>('/me/second-factor', { current_password: turnedOff.password }, begun)
  const on = await before.clientFor(null).put<RecoveryCodes>('/me/second-factor', { code: codeOf(app2.body) }, begun)
  const stale = await byToken(before, turnedOff, on.body.recovery_codes[0])
  const off = { current_password: turnedOff.password, code: on.body.recovery_codes[1] }
  expect((await before.clientFor(null).post('/me/second-factor/remove', off, browserOf(on))).status).toBe(204)
  for (const headers of [...weak, ...strong, browserOf(on)]) expect(await dueOf(before, headers)).toBeUndefined()
  await before.close()
  const after = await bootServer({ place, env: required })
  const dues: unknown[] = []
  for (const headers of [...weak, ...strong, browserOf(on), stale]) dues.push(await dueOf(after, headers))
  expect(dues).toEqual(['set_up', 'set_up', 'code', undefined, undefined, 'set_up', null])
  await after.close()
  await place.drop()
})
