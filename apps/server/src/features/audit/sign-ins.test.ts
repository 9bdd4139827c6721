import type { AuditEntry } from '@postil/contract/audit.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { noteSignIn } from '#platform/auth/sign-in-record.ts'

const ours = { 'sec-fetch-site': 'same-origin', 'x-postil-csrf': '1' }
let server: TestServer
beforeAll(async () => {
  server = await bootServer({ env: { POSTIL_TRUST_PROXY: 'true' } })
})
afterAll(() => server.close())

const log = async (query: string): Promise<AuditEntry[]> => {
  const { status, body } = await server.clientFor(server.owner).get<{ items: AuditEntry[] }>(`/audit?${query}`)
  expect(status).toBe(200)
  return body.items
}
const signIn = (username: string, password: string, address: string) =>
  server.clientFor(null).post('/session', { username, password }, { ...ours, 'x-forwarded-for': address })
const eventually = <T>(read: () => Promise<T>, check: (found: T) => void) =>
  vi.waitFor(async () => check(await read()), { timeout: 20_000 })

describe('the audit log shows sign-ins', () => {
  it('that succeeded and failed, with person, method and address', async () => {
    const user = await server.createUser()
    await signIn(user.username, user.password, '203.0.113.1')
    await signIn(user.username, 'wrong', '203.0.113.2')
    await eventually(
      () => log(`person_id=${user.id}&action=sign_ins`),
      (found) =>
        expect(found).toMatchObject([
          {
            action: 'sign_ins.failed',
            actor: { id: user.id, name: user.username },
            address: '203.0.113.2',
            details: { means: 'password', times: 1 },
          },
          { action: 'sign_ins.succeeded', actor: { id: user.id, name: user.username }, address: '203.0.113.1' },
        ]),
    )
    expect((await log(`person_id=${user.id}&action=sign_ins.failed`)).map(({ action }) => action)).toEqual(['sign_ins.failed'])
    expect((await log(`person_id=${user.id}`)).map(({ action }) => action)).toEqual([
      'sign_ins.failed',
      'sign_ins.succeeded',
      'users.create',
    ])
  })

  it('without a name that nobody has, because it could be a password', async () => {
    await signIn('a password typed here', 'x', '203.0.113.3')
    await eventually(
      () => log('action=sign_ins.failed'),
      (found) => expect(found.find(({ address }) => address === '203.0.113.3')).toMatchObject({ actor: { id: null, name: '' } }),
    )
    expect(JSON.stringify(await log('limit=200'))).not.toContain('typed here')
  })

  it('as one entry for all of a kind within an hour', async () => {
    const user = await server.createUser()
    for (let i = 0; i < 5; i += 1) await signIn(user.username, 'wrong', '203.0.113.4')
    await eventually(
      () => log(`person_id=${user.id}&action=sign_ins.failed`),
      (found) => {
        expect(found.reduce((sum, { details }) => sum + Number(details['times']), 0)).toBe(5)
        // Two entries only if the hour ends during this test.
        expect(found.length).toBeLessThanOrEqual(2)
      },
    )
  })
})

it('keeps a limited number of sign-ins, and failures never displace successes', async () => {
  const { store } = server.app.ctx
  const note = (succeeded: boolean, n: number) =>
    store.write(noteSignIn, { succeeded, user_id: null, means: 'password', address: `2001:db8:${n}::1`, most: 20 })
  await note(true, 0)
  for (let n = 1; n <= 60; n += 1) await note(false, n)
  expect((await log('action=sign_ins.failed&limit=200')).length).toBe(20)
  const succeeded = await log('action=sign_ins.succeeded&limit=200')
  expect(succeeded.some(({ address }) => address === '2001:db8:0::1')).toBe(true)
})

describe('the audit log can be filtered', () => {
  it('by person, as the one who acted and the one it was about', async () => {
    const [admin, user] = [await server.createUser({ role: 'owner' }), await server.createUser()]
    await server.clientFor(admin).patch(`/users/${user.id}`, { first_name: 'Other' })
    const acts = async ({ id }: TestUser) => (await log(`person_id=${id}`)).map(({ action }) => action)
    expect(await acts(admin)).toEqual(['users.update', 'users.create'])
    expect(await acts(user)).toEqual(['users.update', 'users.create'])
  })

  it('by time', async () => {
    const one = await server.createUser()
    const [first] = await log('limit=1&action=users')
    const two = await server.createUser()
    const since = (await log('limit=1&action=users'))[0]?.at ?? ''
    const ids = (entries: AuditEntry[]) => entries.map(({ target }) => target.id)
    expect(ids(await log(`action=users&since=${since}`))).toEqual([two.id])
    const before = ids(await log(`action=users&until=${since}`))
    expect([before.includes(one.id), before.includes(two.id)]).toEqual([true, false])
    expect(first?.target.id).toBe(one.id)
    expect((await server.clientFor(server.owner).get('/audit?since=yesterday')).status).toBe(422)
  })
})
