import type { LeasesResult, QueueResult } from '@postil/contract/queue.ts'
import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import type { Client } from '@postil/testkit/client.ts'
import type { TestUser } from '@postil/testkit/factories.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { nowhere } from './testing/send.ts'
import { must } from './testing/stage.ts'

/*
 * Records of another workspace, named to the queue of one's own: they are as little there as what nobody has, and what somebody has in hand of
 * them stays in hand. One annotator works in both.
 */
type Side = { readonly dataset: string; readonly records: readonly string[]; readonly annotator: TestUser }

let server: TestServer
let ours: Side
let theirs: Side
let both: TestUser
const setSide = async (users: readonly string[]): Promise<Side> => {
  const workspace = await server.createWorkspace()
  const annotator = await server.createUser({ workspaces: [workspace.id] })
  for (const user_id of users) must(await server.as(server.owner).post(`/workspaces/${workspace.id}/users`, { user_id }))
  const { id } = await server.createDataset({ workspace_id: workspace.id })
  const items = Array.from({ length: 4 }, (_, i) => ({ fields: { text: `text ${i}` } }))
  const made = must(
    await server.as(server.owner).post<{ items: { id: string }[] }>(`/datasets/${id}/records/bulk`, { items }),
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
const giveBack = (client: Client, side: Side, ids: string) => client.delete(`${queue(side)}/leases?ids=${ids}`)
const idsOf = ({ items }: QueueResult) => items.map(({ record }) => record.id)

/** What is in hand of theirs, by one of them and by the one who works in both. */
let inHand: readonly (readonly [TestUser, string])[]
beforeEach(async () => {
  inHand = []
  for (const [user, side] of [
    [theirs.annotator, theirs],
    [both, theirs],
    [both, ours],
    [ours.annotator, ours],
  ] as const)
    must(await server.as(user).delete(`${queue(side)}/leases`))
  for (const user of [theirs.annotator, both]) {
    const [id = ''] = idsOf(await take(server.as(user), theirs, { limit: 1 }))
    inHand = [...inHand, [user, id]]
  }
})
const expectInHand = async () => {
  for (const [user, id] of inHand)
    expect(await renew(server.as(user), theirs, [id])).toEqual([{ record_id: id, lease: { until: expect.any(String) } }])
}

describe.each(['one of ours', 'one who works in both'])('%s', (who) => {
  const client = () => server.as(who === 'one of ours' ? ours.annotator : both)

  it('is told of a record of theirs that is not wanted from our queue what is told of one that is nowhere', async () => {
    for (const [, id] of inHand) {
      const known = await take(client(), ours, { limit: 2, exclude: [id] })
      const unknown = await take(client(), ours, { limit: 2, exclude: [nowhere] })
      expect([idsOf(known), known.left, known.closed]).toEqual([idsOf(unknown), unknown.left, [id]])
      expect(unknown.closed).toEqual([nowhere])
      expect(ours.records).toEqual(expect.arrayContaining(idsOf(known)))
    }
    await expectInHand()
  })

  it('gives no record of theirs back through our queue, nor keeps one in hand', async () => {
    for (const [, id] of inHand) {
      expect(await renew(client(), ours, [id])).toEqual([{ record_id: id, lease: null }])
      expect((await giveBack(client(), ours, id)).status).toBe(204)
      expect((await giveBack(client(), ours, nowhere)).status).toBe(204)
    }
    await expectInHand()
  })
})

it('somebody else’s record is neither given back nor taken over by its id in the same queue', async () => {
  const [, [, id]] = inHand as [unknown, readonly [TestUser, string]]
  const other = server.as(theirs.annotator)
  expect((await giveBack(other, theirs, id)).status).toBe(204)
  expect(await renew(other, theirs, [id])).toEqual([{ record_id: id, lease: null }])
  expect(idsOf(await take(other, theirs, { limit: 4 }))).not.toContain(id)
  await expectInHand()
})
