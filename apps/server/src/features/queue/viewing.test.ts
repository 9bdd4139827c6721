import { setTimeout as pause } from 'node:timers/promises'
import type { LeasesResult, QueueResult } from '@postil/contract/queue.ts'
import type { TestServer } from '@postil/testkit/boot.ts'
import type { Client } from '@postil/testkit/client.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStore } from '#platform/db/open.ts'
import { leaseRecords } from './commands.ts'
import { type Annotator, bootQueue, makeTeam, must, SHORT, SHORT_MS } from './testing/team.ts'

/* Looking at a record reserves it only briefly, or not at all. */

let server: TestServer
let withShortLeases: TestServer
beforeAll(async () => {
  ;[server, withShortLeases] = await Promise.all([bootQueue(), bootQueue(SHORT)])
})
afterAll(() => Promise.all([server.close(), withShortLeases.close()]))

const on = (client: Client, dataset: string) => {
  const path = `/me/datasets/${dataset}/queue`
  return {
    view: async (limit = 10) => must(await client.post<QueueResult>(path, { limit, purpose: 'view' })),
    extend: async (record_ids: readonly string[], body: object = {}) =>
      must(await client.put<LeasesResult>(`${path}/leases`, { record_ids, ...body })).items.map(({ lease }) => lease),
  }
}
const remaining = (until: string | undefined): number => Date.parse(`${until}Z`) - Date.now()

const setUp = async (records: number, target = 1, at: TestServer = server) => {
  const team = await makeTeam(at, { records, target, members: 2 })
  const [ann, bob] = team.members as [Annotator, Annotator]
  const owner = at.clientFor(at.owner)
  const { workspace_id } = must(await owner.get<{ workspace_id: string }>(`/datasets/${team.dataset}`))
  const admin = at.clientFor(await at.createUser({ role: 'admin', workspaces: [workspace_id] }))
  return { ...team, ann, bob, owner, admin, viewer: on(ann.client, team.dataset) }
}

it('an annotator who looks at a record holds it for 90 seconds, and for the full time from the first edit', async () => {
  const { ids, bob, viewer } = await setUp(1)
  const { items } = await viewer.view()
  const viewed = remaining(items[0]?.lease?.until)
  expect(viewed).toBeGreaterThan(80_000)
  expect(viewed).toBeLessThanOrEqual(91_000)
  expect(await bob.next()).toEqual({ ids: [], left: 0 })
  const [worked] = await viewer.extend(ids, { acquire: true })
  expect(remaining(worked?.until)).toBeGreaterThan(14 * 60_000)
  // Viewing the record again, perhaps in another window, doesn't shorten the lease.
  const [again] = await viewer.extend(ids, { purpose: 'view' })
  expect(remaining(again?.until)).toBeGreaterThan(14 * 60_000)
  expect(remaining((await viewer.view()).items[0]?.lease?.until)).toBeGreaterThan(14 * 60_000)
})

it('releasing viewed records keeps those that the user edits in another tab', async () => {
  const { dataset, ids, ann, bob, viewer } = await setUp(2)
  await viewer.view()
  const [edited, viewed] = ids as [string, string]
  await viewer.extend([edited], { acquire: true })
  const path = `/me/datasets/${dataset}/queue/leases?ids=${ids.join(',')}`
  expect((await ann.client.delete(`${path}&purpose=view`)).status).toBe(204)
  expect(await bob.next()).toEqual({ ids: [viewed], left: 1 })
  expect((await ann.client.delete(path)).status).toBe(204)
  expect((await bob.next()).ids.toSorted()).toEqual([...ids].toSorted())
})

it('releasing a lease with its end keeps the lease if another page has renewed it since', async () => {
  const { dataset, ids, ann, bob, viewer } = await setUp(2)
  const until = (await viewer.view()).items[0]?.lease?.until ?? ''
  const [renewed, other] = ids as [string, string]
  await viewer.extend([renewed], { purpose: 'view' })
  const release = (end: string) => {
    const query = new URLSearchParams({ ids: ids.join(','), purpose: 'view', until: end })
    return ann.client.delete(`/me/datasets/${dataset}/queue/leases?${query}`)
  }
  expect((await release('yesterday')).status).toBe(422)
  expect((await release(until)).status).toBe(204)
  expect(await bob.next()).toEqual({ ids: [other], left: 1 })
})

it('releasing a lease with a delay ends it only then, so that a reloaded page can renew it', async () => {
  const { dataset, ids, ann, bob, viewer } = await setUp(3)
  await viewer.view()
  const [renewed, ended, short] = ids as [string, string, string]
  const release = (some: readonly string[], delay: number) => {
    const query = new URLSearchParams({ ids: some.join(','), purpose: 'view', delay: String(delay) })
    return ann.client.delete(`/me/datasets/${dataset}/queue/leases?${query}`)
  }
  expect((await release(ids, 31)).status).toBe(422)
  expect((await release([short], 1)).status).toBe(204)
  // A longer delay doesn't extend the lease.
  expect((await release(ids, 2)).status).toBe(204)
  expect(await bob.next()).toEqual({ ids: [], left: 0 })
  const [lease] = await viewer.extend([renewed], { purpose: 'view' })
  expect(remaining(lease?.until)).toBeGreaterThan(80_000)
  await expect.poll(async () => (await bob.next()).ids.toSorted(), { timeout: 10_000 }).toEqual([ended, short].toSorted())
})

it.each(['owner', 'admin'] as const)(
  'an %s who only looks holds nothing, and holds the record from the first edit',
  async (role) => {
    const { dataset, ids, bob, ...people } = await setUp(2)
    const viewer = on(people[role], dataset)
    const { items, left } = await viewer.view()
    expect(items.map(({ record, lease }) => [ids.includes(record.id), lease])).toEqual([
      [true, null],
      [true, null],
    ])
    expect(left).toBe(2)
    expect(await viewer.extend(ids, { purpose: 'view', acquire: true })).toEqual([null, null])
    const [mine, other] = items.map(({ record }) => record.id) as [string, string]
    const [lease] = await viewer.extend([mine], { acquire: true })
    expect(remaining(lease?.until)).toBeGreaterThan(14 * 60_000)
    expect(await bob.next()).toEqual({ ids: [other], left: 1 })
    // Somebody else has leased the other record in the meantime.
    expect(await viewer.extend([other], { acquire: true })).toEqual([null])
    // The lease from the first edit is still live. The response to a view request contains it.
    expect((await viewer.view()).items.map((item) => [item.record.id, item.lease !== null])).toEqual([[mine, true]])
  },
)

it('concurrent first edits of viewed records lease each record to as many people as it needs answers from', async () => {
  const { dataset, ids, ann, bob, owner, admin } = await setUp(4, 2)
  const viewers = [ann.client, bob.client, owner, admin].map((client) => on(client, dataset))
  const granted = await Promise.all(viewers.map((viewer) => viewer.extend(ids, { acquire: true })))
  const holders = ids.map((_, at) => granted.filter((leases) => leases[at] !== null).length)
  expect(holders).toEqual([2, 2, 2, 2])
})

it('a record is not acquired if it is answered, if the limit per person is reached, or if records are assigned by name', async () => {
  const { dataset, ids, ann, bob, owner, viewer } = await setUp(3)
  const [first, second, third] = ids as [string, string, string]
  await ann.answer(first)
  expect(await viewer.extend([first], { acquire: true })).toEqual([null])
  must(await owner.put(`/datasets/${dataset}/queue-settings`, { max_per_person: 2 }))
  const leases = await viewer.extend([second, third], { acquire: true })
  expect(leases.filter((lease) => lease !== null)).toHaveLength(1)
  must(await owner.post(`/datasets/${dataset}/metadata-properties`, { name: 'who', title: 'Who', settings: { type: 'terms' } }))
  must(await owner.put(`/datasets/${dataset}/queue-settings`, { assigned_by: 'who' }))
  expect(await on(bob.client, dataset).extend([second, third], { acquire: true })).toEqual([null, null])
})

it('a viewed record whose lease has expired goes to the next request, and comes back if it is free', async () => {
  const { ids, bob, viewer } = await setUp(1, 1, withShortLeases)
  await viewer.view()
  await pause(SHORT_MS + 50)
  expect(await viewer.extend(ids, { purpose: 'view' })).not.toEqual([null])
  await pause(SHORT_MS + 50)
  expect(await bob.next()).toEqual({ ids, left: 1 })
  expect(await viewer.extend(ids, { purpose: 'view', acquire: true })).toEqual([null])
})

it('an expired lease of an owner who only looks is not granted again', async () => {
  const { dataset, ids, owner } = await setUp(1, 1, withShortLeases)
  const viewer = on(owner, dataset)
  const [held] = await viewer.extend(ids, { acquire: true })
  expect(held).not.toBe(null)
  await pause(SHORT_MS + 50)
  const { dataDir, databaseUrl } = withShortLeases.app.ctx.config
  const operations = new URL('./testing/operations.ts', import.meta.url).href
  const store = await openStore({ dataDir, databaseUrl, operations, exclusive: false })
  const { id, role } = withShortLeases.owner
  // The lease was still live when the records were found.
  const found = { own: [0, 1], next: [], wanted: 0, exclude: [], drafts: true, limit: 2, testRecords: null }
  const request = { ...found, user: { id, role }, dataset_id: dataset, lease: SHORT_MS * 1000 }
  expect((await store.write(leaseRecords, { ...request, purpose: 'view' })).granted).toEqual([])
  expect((await store.write(leaseRecords, { ...request, purpose: 'work' })).granted).toHaveLength(1)
  await store.close()
})
