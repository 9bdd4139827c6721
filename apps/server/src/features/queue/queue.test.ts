import type { QueueResult } from '@postil/contract/queue.ts'
import type { SearchResult } from '@postil/contract/search.ts'
import type { TestServer } from '@postil/testkit/boot.ts'
import type { Client } from '@postil/testkit/client.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Annotator, bootQueue, makeTeam, must, type Team } from './testing/team.ts'

let server: TestServer
beforeAll(async () => {
  server = await bootQueue()
})
afterAll(() => server.close())

const team = async (
  records: number,
  target: number,
  members = 3,
): Promise<Team & { ann: Annotator; bob: Annotator; cyd: Annotator }> => {
  const made = await makeTeam(server, { records, target, members, shuffled: true })
  const [ann, bob, cyd] = made.members as [Annotator, Annotator, Annotator]
  return { ...made, ann, bob, cyd }
}

/** The IDs of the records in the caller's individual order, as returned by a search. */
const searchOrder = async ({ client }: Annotator, dataset: string) => {
  const terms = (entity: string) => ({ type: 'terms', scope: { entity, property: 'status' }, values: ['pending'] })
  const filters = { and: [terms('response'), terms('record')] }
  const ids: string[] = []
  for (;;) {
    const path = `/me/datasets/${dataset}/records/search?limit=1000&offset=${ids.length}`
    const { items, total } = must(await client.post<SearchResult>(path, { filters }))
    ids.push(...items.map(({ record }) => record.id))
    if (ids.length >= total) return ids
  }
}

describe('the next records', () => {
  it.each([40, 1200])('follow the caller’s own search order, with %i records', async (records) => {
    const { dataset, ann, bob } = await team(records, 1)
    const [annOrder, bobOrder] = [await searchOrder(ann, dataset), await searchOrder(bob, dataset)]
    expect(annOrder).not.toEqual(bobOrder)
    expect((await ann.next()).ids).toEqual(annOrder.slice(0, 10))
    const { ids } = await bob.next()
    expect(ids).toEqual(bobOrder.filter((id) => !annOrder.slice(0, 10).includes(id)).slice(0, 10))
    for (const id of annOrder.slice(0, 10)) await ann.answer(id)
    const rest = (await searchOrder(ann, dataset)).filter((id) => !ids.includes(id))
    expect(await ann.next(5)).toEqual({ ids: rest.slice(0, 5), left: records - 20 })
  })

  it.each([60, 1200])('start with records that others have answered, with %i records', async (records) => {
    const { dataset, ids, ann, bob, cyd } = await team(records, 3)
    const order = await searchOrder(cyd, dataset)
    const inProgress = [ids[50], ids[7], ids[33], ids[21]] as string[]
    for (const id of inProgress) await ann.answer(id)
    const sorted = [...inProgress].sort((a, b) => order.indexOf(a) - order.indexOf(b))
    const rest = order.filter((id) => !inProgress.includes(id))
    expect((await cyd.next(6)).ids).toEqual([...sorted, ...rest.slice(0, 2)])
    // Nobody gets a record that they have answered.
    expect((await ann.next(2)).ids).toEqual((await searchOrder(ann, dataset)).slice(0, 2))
    expect(await bob.next(1)).toMatchObject({ left: records })
  })

  it('skip the excluded records', async () => {
    const { dataset, ann, bob } = await team(6000, 1)
    const order = await searchOrder(ann, dataset)
    expect((await ann.next(2, { exclude: order.slice(0, 11) })).ids).toEqual(order.slice(11, 13))
    const [first] = (await bob.next(1)).ids
    expect((await bob.next(1, { exclude: [first, dataset] })).ids).not.toContain(first)
  })

  it('are complete, with the caller’s draft, no other answers, and the lease deadline', async () => {
    const { dataset, ids, ann, bob } = await team(2, 3)
    const [id] = ids as [string]
    await bob.answer(id)
    await ann.answer(id, 'draft')
    const { items } = must(await ann.client.post<QueueResult>(`/me/datasets/${dataset}/queue`, { limit: 1 }))
    expect(items).toMatchObject([{ record: { id, suggestions: [], responses: [{ user_id: ann.user.id, status: 'draft' }] } }])
    const left = Date.parse(`${items[0]?.lease?.until}Z`) - Date.now()
    expect(left).toBeGreaterThan(14 * 60_000)
    expect(left).toBeLessThanOrEqual(15 * 60_000 + 1000)
  })

  it('show annotators only visible metadata, and suggestions', async () => {
    const { id, workspace_id } = await server.createDataset({
      metadata_properties: [
        { name: 'shown', settings: { type: 'terms' } },
        { name: 'hidden', settings: { type: 'terms' }, visible_for_annotators: false },
      ],
    })
    const owner = server.clientFor(server.owner)
    const [question] = must(await owner.get<{ items: { id: string }[] }>(`/datasets/${id}/questions`)).items
    const suggestions = [{ question_id: question?.id, value: 'yes' }]
    const items = [{ fields: { text: 'x' }, metadata: { shown: 'a', hidden: 'b' }, suggestions }]
    must(await owner.post(`/datasets/${id}/records/bulk`, { items }))
    const seen = async (client: Client) => {
      const { items: given } = must(await client.post<QueueResult>(`/me/datasets/${id}/queue`, {}))
      must(await client.delete(`/me/datasets/${id}/queue/leases`))
      return given.map(({ record }) => [record.metadata, record.suggestions?.map(({ value }) => value)])
    }
    const annotator = await server.createUser({ workspaces: [workspace_id] })
    expect(await seen(server.clientFor(annotator))).toEqual([[{ shown: 'a' }, ['yes']]])
    expect(await seen(owner)).toEqual([[{ shown: 'a', hidden: 'b' }, ['yes']]])
  })

  it('are ten by default, one to a hundred on request, with at most a hundred leases', async () => {
    const { dataset, ann } = await team(120, 1)
    const path = `/me/datasets/${dataset}/queue`
    for (const limit of [0, 101, 'x']) expect((await ann.client.post(path, { limit })).status).toBe(422)
    expect(must(await ann.client.post<QueueResult>(path, {})).items).toHaveLength(10)
    const { ids } = await ann.next(60)
    expect(await ann.next(60, { exclude: ids })).toMatchObject({ ids: { length: 40 }, left: 120 })
    expect((await ann.next(60, { exclude: (await ann.next(100)).ids })).ids).toEqual([])
  })

  it.each([
    ['in the caller’s own order', { shuffled: true }],
    ['in insertion order', {}],
    ['in the order of a search', { order: [{ scope: { entity: 'record', property: 'inserted_at' }, order: 'asc' }] }],
  ])('include which excluded records no longer count, %s', async (_, settings) => {
    const { dataset, ann, bob, cyd } = await team(11, 2)
    const owner = server.clientFor(server.owner)
    must(await owner.put(`/datasets/${dataset}/queue-settings`, settings))
    const { ids } = await ann.next(7)
    const [submitted = '', discarded = '', drafted = '', complete = '', taken = '', gone = ''] = ids
    await ann.answer(submitted)
    await ann.answer(discarded, 'discarded')
    await ann.answer(drafted, 'draft')
    for (const one of [bob, cyd]) await one.answer(complete)
    await ann.release(taken)
    must(await owner.delete(`/records/${gone}`))
    for (const one of [bob, cyd]) await one.next(100)
    const asked = (drafts: boolean) =>
      ann.client.post<QueueResult>(`/me/datasets/${dataset}/queue`, { limit: 1, exclude: ids, drafts })
    expect(must(await asked(false))).toMatchObject({
      items: [],
      left: 1,
      closed: [submitted, discarded, drafted, complete, taken, gone],
    })
    expect(must(await asked(true))).toMatchObject({ items: [], left: 2, closed: [submitted, discarded, complete, taken, gone] })
    expect(must(await ann.client.post<QueueResult>(`/me/datasets/${dataset}/queue`, {})).closed).toEqual([])
  })

  it('omit records with the caller’s draft on request, leased or not', async () => {
    const { ids, ann, bob } = await team(4, 1)
    const [first = '', second = '', third = ''] = (await ann.next(3)).ids
    await ann.answer(first, 'draft')
    await ann.answer(third, 'draft')
    await ann.release(third)
    const rest = ids.filter((id) => id !== first && id !== third && id !== second)
    expect(await ann.next(10, { drafts: false })).toEqual({ ids: [second, ...rest], left: 2 })
    expect((await ann.next(10)).left).toBe(4)
    // A leased record with a draft stays assigned to its holder.
    expect((await bob.next(10)).ids).not.toContain(first)
  })

  it('are empty for a draft and an empty dataset', async () => {
    for (const publish of [false, true]) {
      const { id } = await server.createDataset({ publish })
      const answer = await server.clientFor(server.owner).post(`/me/datasets/${id}/queue`, {})
      expect(answer).toMatchObject({ status: 200, body: { items: [], left: 0 } })
    }
  })
})

describe('a leased record', () => {
  it('comes first and is renewed, so that repeating a request does no harm', async () => {
    const { ann } = await team(30, 2)
    const first = await ann.next(4)
    expect(await ann.next(4)).toEqual(first)
    expect((await ann.next(2)).ids).toEqual(first.ids.slice(0, 2))
    expect((await ann.next(6)).ids.slice(0, 4)).toEqual(first.ids)
    expect((await ann.next(2, { exclude: first.ids.slice(0, 1) })).ids).toEqual(first.ids.slice(1, 3))
  })

  it('isn’t assigned to more people than the required answers', async () => {
    const { dataset, ann, bob, cyd } = await team(3, 2)
    expect((await ann.next()).ids).toHaveLength(3)
    expect(await bob.next()).toMatchObject({ ids: { length: 3 }, left: 3 })
    expect(await cyd.next()).toEqual({ ids: [], left: 0 })
    const [given] = (await ann.next()).ids as [string]
    await ann.release(given)
    expect(await cyd.next()).toEqual({ ids: [given], left: 1 })
    expect((await ann.next()).ids).not.toContain(given)
    await ann.release()
    expect(await cyd.next()).toMatchObject({ ids: { length: 3 }, left: 3 })
    expect(await ann.next()).toEqual({ ids: [], left: 0 })
    // Releasing records without a lease has no effect.
    await ann.release(dataset)
  })

  it('is released by an answer, which takes its place', async () => {
    const { ann, bob, progress } = await team(1, 1)
    const [id] = (await ann.next()).ids as [string]
    expect(await ann.renew(id)).toEqual([id])
    await ann.answer(id)
    expect(await ann.renew(id)).toEqual([])
    for (const one of [ann, bob]) expect(await one.next()).toEqual({ ids: [], left: 0 })
    expect(await progress()).toMatchObject({ completed: 1, surplus: 0 })
  })

  it('is also released by an answer sent within a record', async () => {
    const { dataset, ann, bob, ids } = await team(2, 1)
    await ann.next()
    const responses = [{ user_id: ann.user.id, status: 'discarded', values: {} }]
    const items = [{ id: ids[0], fields: { text: 'x' }, responses }]
    must(await server.clientFor(server.owner).put(`/datasets/${dataset}/records/bulk`, { items }))
    expect(await bob.next()).toEqual({ ids: [ids[0]], left: 1 })
    expect(await ann.next()).toEqual({ ids: [ids[1]], left: 1 })
  })

  it('goes to someone else once it is discarded, and back to its user after the answer is deleted', async () => {
    const { ann, bob } = await team(1, 1)
    const [id] = (await ann.next()).ids as [string]
    expect((await bob.next()).ids).toEqual([])
    const answer = await ann.answer(id, 'discarded')
    expect(await ann.next()).toEqual({ ids: [], left: 0 })
    expect(await bob.next()).toEqual({ ids: [id], left: 1 })
    await bob.release()
    must(await ann.client.delete(`/responses/${answer}`))
    expect(await ann.next()).toEqual({ ids: [id], left: 1 })
  })

  it.each([1, 1200])('stays with its user while there is a draft, with %i records', async (records) => {
    const { ann, bob } = await team(records, 1)
    const [id] = (await ann.next(1)).ids as [string]
    await ann.answer(id, 'draft')
    expect(await ann.renew(id)).toEqual([id])
    expect(await ann.next(1)).toEqual({ ids: [id], left: records })
    expect((await bob.next(1)).left).toBe(records - 1)
    await ann.release()
    await bob.release()
    // A draft is unfinished work and keeps its place in the order.
    expect(await ann.next(1)).toEqual({ ids: [id], left: records })
  })

  it('is released when the record is deleted', async () => {
    const { ann, bob, ids } = await team(2, 1)
    await ann.next()
    must(await server.clientFor(server.owner).delete(`/records/${ids[0]}`))
    expect(await ann.renew(...ids)).toEqual([ids[1]])
    expect(await ann.next()).toEqual({ ids: [ids[1]], left: 1 })
    expect(await bob.next()).toEqual({ ids: [], left: 0 })
  })

  it('is released when the dataset is deleted', async () => {
    const { dataset, ann, ids } = await team(2, 1)
    await ann.next()
    must(await server.clientFor(server.owner).delete(`/datasets/${dataset}`))
    const path = `/me/datasets/${dataset}/queue`
    const answers = [
      await ann.client.post(path, {}),
      await ann.client.put(`${path}/leases`, { record_ids: ids }),
      await ann.client.delete(`${path}/leases`),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
  })
})

describe('an answer beyond the overlap', () => {
  it('is stored and counts as surplus, and leases on the record remain until it is complete', async () => {
    const { ids, ann, bob, cyd, progress } = await team(1, 2)
    const [id] = ids as [string]
    await ann.next()
    await bob.next()
    // A user answers a record that wasn't assigned to them.
    await cyd.answer(id)
    expect(await ann.next()).toEqual({ ids: [id], left: 1 })
    expect(await bob.renew(id)).toEqual([id])
    await ann.answer(id)
    expect(await progress()).toMatchObject({ completed: 1, surplus: 0 })
    expect(await bob.renew(id)).toEqual([])
    expect(await bob.next()).toEqual({ ids: [], left: 0 })
    await bob.answer(id)
    expect(await progress()).toMatchObject({ completed: 1, surplus: 1 })
  })
})
