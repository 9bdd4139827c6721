import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hashToken } from '#platform/auth/credentials.ts'

let server: TestServer
beforeAll(async () => {
  server = await bootServer()
})
afterAll(() => server.close())

const sameOriginHeaders = { 'sec-fetch-site': 'same-origin', 'x-postil-csrf': '1' }
const withCookie = (cookie: string) => ({ cookie, ...sameOriginHeaders })
const me = async (cookie: string) => (await server.clientFor(null).get('/me', { cookie })).status

it('the sessions of a user are listed with the browser’s name and can be ended one by one', async () => {
  const someone = await server.createUser()
  const from = async (agent: string, { username, password } = someone) => {
    const { headers } = await server
      .clientFor(null)
      .post('/session', { username, password }, { ...sameOriginHeaders, 'user-agent': agent })
    return { cookie: headers.get('set-cookie')?.split(';')[0] ?? '' }
  }
  const [one, two] = [await from('Browser One'), await from(`Two${'o'.repeat(300)}`)]
  type Listed = { items: { id: string; agent: string | null; current: boolean; seen_at: string }[] }
  const list = async (cookie: string) => (await server.clientFor(null).get<Listed>('/me/sessions', { cookie })).body.items
  const seen = await list(one.cookie)
  expect(seen.map(({ agent, current }) => [agent, current])).toEqual([
    [`Two${'o'.repeat(197)}`, false],
    ['Browser One', true],
  ])
  expect(JSON.stringify(seen)).not.toContain(hashToken(two.cookie.split('=')[1] ?? ''))
  expect((await server.clientFor(someone).get<Listed>('/me/sessions')).body.items.map(({ current }) => current)).toEqual([
    false,
    false,
  ])
  const end = (cookie: string, id: string) => server.clientFor(null).delete(`/me/sessions/${id}`, undefined, withCookie(cookie))
  const foreign = await from('Browser One', await server.createUser())
  expect((await end(foreign.cookie, seen[0]?.id ?? '')).status).toBe(404)
  expect((await end(one.cookie, crypto.randomUUID())).status).toBe(404)
  expect((await server.clientFor(null).delete(`/me/sessions/${seen[0]?.id}`, undefined, { cookie: one.cookie })).status).toBe(403)
  expect((await end(one.cookie, seen[0]?.id ?? '')).status).toBe(204)
  expect([await me(one.cookie), await me(two.cookie)]).toEqual([200, 401])
  expect((await end(one.cookie, seen[0]?.id ?? '')).status).toBe(404)
  expect(await list(one.cookie)).toHaveLength(1)
})
