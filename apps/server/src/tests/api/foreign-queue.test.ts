import type { LeasesResult, QueueResult } from '@postil/contract/queue.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { Client } from '@postil/testkit/client.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { must } from './testing/fixture.ts'
import { nowhere } from './testing/send.ts'

/* IDs of records from another workspace are sent to the queue of a dataset in the caller's workspace. They are treated as
   nonexistent, and existing leases on them remain. One annotator works in both workspaces. */
type Side = { readonly dataset: string; readonly records: readonly string[]; readonly annotator: TestUser }

let server: TestServer
let ours: Side
let theirs: Side
let both: TestUser
const setSide = async (users: readonly string[]): Promise<Side> => {
  const workspace = await server.createWorkspace()
  const annotator = await server.createUser({ workspaces: [workspace.id] })
  for (const user_id of users) must(await server.clientFor(server.owner).post(`/workspaces/${workspace.id}/users`, { user_id }))
  const { id } = await server.createDataset({ workspace_id: workspace.id })
  const items = Array.from({ length: 4 }, (_, i) => ({ fields: { text: `text ${i}` } }))
  const made = must(
    await server.clientFor(server.owner).post<{ items: { id: string }[] }>(`/datasets/${id}/records/bulk`, { items }),
  ).items
  return { dataset: id, records: made.map((record) => record.id), annotator }
}
beforeAll(async () => {
  server = await bootServer()
  both = await server.createUser()
  ours = await setSide([both.id])
  theirs = await setSide([both.id])
})
afterAll(() => server.close())

const queue = ({ dataset }: Side) => `/me/datasets/${dataset}/queue`
const take = async (client: Client, side: Side, body: object) => must(await client.post<QueueResult>(queue(side), body))
const renew = async (client: Client, side: Side, record_ids: readonly string[]) =>
  must(await client.put<LeasesResult>(`${queue(side)}/leases`, { record_ids })).items
const release = (client: Client, side: Side, ids: string) => client.delete(`${queue(side)}/leases?ids=${ids}`)
const idsOf = ({ items }: QueueResult) => items.map(({ record }) => record.id)

/**
 * The leases in the other workspace. One belongs to an annotator of that workspace only, the other to the annotator who works in
 * both workspaces.
 */
let leased: readonly (readonly [TestUser, string])[]
beforeEach(async () => {
  leased = []
  for (const [user, side] of [
    [theirs.annotator, theirs],
    [both, theirs],
    [both, ours],
    [ours.annotator, ours],
  ] as const)
    must(await server.clientFor(user).delete(`${queue(side)}/leases`))
  for (const user of [theirs.annotator, both]) {
    const [id = ''] = idsOf(await take(server.clientFor(user), theirs, { limit: 1 }))
    leased = [...leased, [user, id]]
  }
})
const expectLeased = async () => {
  for (const [user, id] of leased)
    expect(await renew(server.clientFor(user), theirs, [id])).toEqual([{ record_id: id, lease: { until: expect.any(String) } }])
}

describe.each(['an annotator of our workspace', 'an annotator of both workspaces'])('%s', (who) => {
  const client = () => server.clientFor(who === 'an annotator of our workspace' ? ours.annotator : both)

  it('treats an excluded record of another dataset like an unknown record', async () => {
    for (const [, id] of leased) {
      const known = await take(client(), ours, { limit: 2, exclude: [id] })
      const unknown = await take(client(), ours, { limit: 2, exclude: [nowhere] })
      expect([idsOf(known), known.left, known.closed]).toEqual([idsOf(unknown), unknown.left, [id]])
      expect(unknown.closed).toEqual([nowhere])
      expect(ours.records).toEqual(expect.arrayContaining(idsOf(known)))
    }
    await expectLeased()
  })

  it('neither releases nor renews a lease in another dataset', async () => {
    for (const [, id] of leased) {
      expect(await renew(client(), ours, [id])).toEqual([{ record_id: id, lease: null }])
      expect((await release(client(), ours, id)).status).toBe(204)
      expect((await release(client(), ours, nowhere)).status).toBe(204)
    }
    await expectLeased()
  })
})

it('a record leased by someone else can be neither released nor renewed by its ID in the same queue', async () => {
  const [, [, id]] = leased as [unknown, readonly [TestUser, string]]
  const other = server.clientFor(theirs.annotator)
  expect((await release(other, theirs, id)).status).toBe(204)
  expect(await renew(other, theirs, [id])).toEqual([{ record_id: id, lease: null }])
  expect(idsOf(await take(other, theirs, { limit: 4 }))).not.toContain(id)
  await expectLeased()
})
