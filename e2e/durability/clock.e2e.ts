import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Session, Token } from '@postil/contract/people/auth.ts'
import type { Record as RecordPayload } from '@postil/contract/records.ts'
import { createClient } from '@postil/testkit/client.ts'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { emptyPlace, OWNER, type Place, type RunningServer, startServer } from '#harness/server.ts'
import { fakeTime } from '../../scripts/lib/faketime.mjs'
import { owner, seedDataset } from './fixtures.ts'

const library = await fakeTime()
const HOURS = 3
/** The lifetime of a bearer token, in seconds. */
const DAY = 86_400

let place: Place
let server: RunningServer | undefined
beforeEach(async () => {
  place = await emptyPlace()
})
afterEach(async () => {
  await server?.kill()
  server = undefined
  await place.drop()
})

const expiryOf = (token: string): number =>
  (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as { exp: number }).exp

const ours = { 'sec-fetch-site': 'same-origin', 'x-postil-csrf': '1' }

it.runIf(library !== null)(
  'continues when the clock is set back by hours: times rise, and no one gains or loses access',
  async () => {
    const clock = join(place.dataDir, 'clock')
    const setClock = (hours: number) => writeFileSync(clock, `${hours < 0 ? '' : '+'}${hours * 3600}\n`)
    setClock(0)
    const env = {
      LD_PRELOAD: library as string,
      FAKETIME_TIMESTAMP_FILE: clock,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      POSTIL_SIGN_IN_ATTEMPTS: '3',
      POSTIL_SIGN_IN_WAIT: '5',
    }
    const running = await startServer({ place, env })
    server = running
    const client = createClient(running.url, owner)
    const nobody = createClient(running.url, null)
    const { factories, dataset, ids } = await seedDataset(running, 20)
    const locked = await factories.createUser()
    const signIn = (password: string = OWNER.password, username: string = OWNER.username) =>
      nobody.post<Session>('/session', { username, password }, ours)
    const cookieOf = (headers: Headers) => headers.get('set-cookie')?.split(';')[0] ?? ''
    const session = cookieOf((await signIn()).headers)
    const me = async (headers: { readonly [name: string]: string }) => (await nobody.get('/me', headers)).status
    const form = new URLSearchParams({ username: OWNER.username, password: OWNER.password })
    const token = async () =>
      ((await (await fetch(`${running.url}/api/v1/token`, { method: 'POST', body: form })).json()) as Token).access_token
    const bearer = { authorization: `Bearer ${await token()}` }
    type Queue = { items: { record: RecordPayload; lease: { until: string } }[] }
    const take = () => client.post<Queue>(`/me/datasets/${dataset.id}/queue`, { limit: 5 })
    const before = (await take()).body.items
    for (let i = 0; i < 3; i += 1) await signIn('wrong', locked.username)
    expect((await signIn(locked.password, locked.username)).status).toBe(429)

    setClock(-HOURS)
    expect(Date.now() / 1000 + DAY - expiryOf(await token())).toBeGreaterThan((HOURS - 1) * 3_600)

    // New records sort after earlier ones.
    const items = Array.from({ length: 20 }, (_, i) => ({ fields: { text: `later ${i}` } }))
    expect((await client.post(`/datasets/${dataset.id}/records/bulk`, { items })).status).toBe(201)
    const all = await client.get<{ items: RecordPayload[] }>(`/datasets/${dataset.id}/records?limit=100`)
    const times = all.body.items.map(({ inserted_at }) => inserted_at)
    expect(times).toHaveLength(40)
    expect(new Set(times).size).toBe(40)
    expect([...times].sort()).toEqual(times)
    expect(all.body.items.slice(0, 20).map(({ id }) => id)).toEqual(ids)
    expect([...all.body.items.map(({ id }) => id)].sort()).toEqual(all.body.items.map(({ id }) => id))

    // Leases stay with their holder until the holder signs out everywhere.
    const after = (await take()).body.items
    expect(after.map(({ record }) => record.id)).toEqual(before.map(({ record }) => record.id))

    expect([await me({ cookie: session }), await me(bearer)]).toEqual([200, 200])
    const again = { authorization: `Bearer ${await token()}` }
    expect(await me(again)).toBe(200)
    await vi.waitFor(async () => expect((await signIn(locked.password, locked.username)).status).toBe(201), { timeout: 30_000 })
    const late = await signIn()
    expect(late.status).toBe(201)
    await nobody.delete('/session/all', undefined, { cookie: cookieOf(late.headers), ...ours })
    expect([await me({ cookie: session }), await me(bearer), await me(again)]).toEqual([401, 401, 401])
    expect(await me({ authorization: `Bearer ${await token()}` })).toBe(200)
    expect(await me({ cookie: cookieOf((await signIn()).headers) })).toBe(200)

    expect((await client.put(`/records/${ids[0]}/responses/mine`, answer)).status).toBe(201)

    await running.stop()
    const restarted = await startServer({ place, env })
    server = restarted
    const afterwards = createClient(restarted.url, owner)
    const more = Array.from({ length: 20 }, (_, i) => ({ fields: { text: `last ${i}` } }))
    expect((await afterwards.post(`/datasets/${dataset.id}/records/bulk`, { items: more })).status).toBe(201)
    const last = await afterwards.get<{ items: RecordPayload[] }>(`/datasets/${dataset.id}/records?limit=100`)
    expect(last.body.items.slice(0, 40).map(({ id }) => id)).toEqual(all.body.items.map(({ id }) => id))
    expect(last.body.items.map(({ inserted_at }) => inserted_at)).toEqual(
      [...last.body.items.map(({ inserted_at }) => inserted_at)].sort(),
    )
  },
)

const answer = {
  mutation_id: '00000000-0000-4000-8000-000000000001',
  base_version: null,
  status: 'submitted',
  values: { label: { value: 'yes' } },
}
