import type { SearchResult } from '@postil/contract/search.ts'
import type { TestServer } from '@postil/testkit/boot.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Annotator, bootQueue, makeTeam, must } from './testing/team.ts'

let server: TestServer
beforeAll(async () => {
  server = await bootQueue()
})
afterAll(() => server.close())

const PART = { name: 'part', title: 'Part', settings: { type: 'integer' } }
const team = async (records: number, target: number, shuffled = false) => {
  const extra = (index: number) => ({ metadata: { part: index % 2 } })
  const made = await makeTeam(server, { records, target, members: 3, metadata: [PART], extra, shuffled })
  const [ann, bob, cyd] = made.members as [Annotator, Annotator, Annotator]
  return { ...made, ann, bob, cyd }
}
const terms = (entity: string) => ({ type: 'terms', scope: { entity, property: 'status' }, values: ['pending'] })
const ofPart = { type: 'range', scope: { entity: 'metadata', metadata_property: 'part' }, ge: 1 }
const filtered = async ({ client }: Annotator, dataset: string, offset: number): Promise<string[]> => {
  const path = `/me/datasets/${dataset}/records/search?limit=10&offset=${offset}`
  const { items } = must(
    await client.post<SearchResult>(path, { filters: { and: [terms('response'), terms('record'), ofPart] } }),
  )
  return items.map(({ record }) => record.id)
}

// With more than a thousand records, the server reads the queue differently
describe.each([60, 1200])('the default order, with %i records', (records) => {
  it('is insertion order, and annotators who share the records follow each other', async () => {
    const { ids, ann, bob, cyd } = await team(records, 2)
    expect(await ann.next(4)).toEqual({ ids: ids.slice(0, 4), left: records })
    for (const id of ids.slice(0, 4)) await ann.answer(id)
    expect((await ann.next(3)).ids).toEqual(ids.slice(4, 7))
    // Records that Ann has started come first. Here, they are also the first records in insertion order.
    expect((await bob.next(6)).ids).toEqual(ids.slice(0, 6))
    // Ann has answered the first four records, and Bob has leased them. Ann and Bob have leased the next two. Every record needs
    // two answers, so Cyd gets none of these six.
    expect((await cyd.next(3)).ids).toEqual(ids.slice(6, 9))
    await bob.release()
    expect((await cyd.next(5)).ids.slice(0, 3)).toEqual(ids.slice(6, 9))
    expect((await bob.next(2, { exclude: ids.slice(0, 1) })).ids).not.toContain(ids[0])
  })

  it('starts with partly answered records, in insertion order', async () => {
    const { ids, ann, bob } = await team(records, 3)
    for (const index of [50, 7, 33]) await ann.answer(ids[index] as string)
    const expected = [7, 33, 50, 0, 1].map((index) => ids[index])
    expect((await bob.next(5)).ids).toEqual(expected)
    expect((await ann.next(2)).ids).toEqual(ids.slice(0, 2))
  })

  it('returns to a record whose answer was deleted, and ends with new records', async () => {
    const { dataset, ids, ann } = await team(records, 1)
    const answers: string[] = []
    for (const id of ids.slice(0, 5)) answers.push(await ann.answer(id))
    expect((await ann.next(1)).ids).toEqual([ids[5]])
    await ann.release()
    must(await ann.client.delete(`/responses/${answers[2]}`))
    expect((await ann.next(2)).ids).toEqual([ids[2], ids[5]])
    await ann.release()
    const owner = server.clientFor(server.owner)
    const items = [{ fields: { text: 'new' } }]
    must(await owner.post(`/datasets/${dataset}/records/bulk`, { items }))
    expect((await ann.next(2)).ids).toEqual([ids[2], ids[5]])
  })

  it('is also the order of a filtered list, page by page', async () => {
    const { dataset, ids, ann } = await team(records, 2)
    const part = ids.filter((_, index) => index % 2 === 1)
    expect(await filtered(ann, dataset, 0)).toEqual(part.slice(0, 10))
    expect(await filtered(ann, dataset, 10)).toEqual(part.slice(10, 20))
    await ann.answer(part[3] as string)
    expect(await filtered(ann, dataset, 0)).toEqual(part.filter((id) => id !== part[3]).slice(0, 10))
  })

  it('can be different for each person, even with a filter', async () => {
    const { dataset, ids, ann, bob } = await team(records, 2, true)
    const [first, second] = [(await ann.next(20)).ids, (await bob.next(20)).ids]
    expect(first).not.toEqual(ids.slice(0, 20))
    expect(second).not.toEqual(first)
    expect(await filtered(ann, dataset, 0)).not.toEqual(await filtered(bob, dataset, 0))
  })
})

it('reads more partly answered records than it reads at a time, in insertion order', async () => {
  const { dataset, ids, ann, bob } = await team(1300, 2)
  const responses = [{ user_id: ann.user.id, status: 'submitted', values: { label: { value: 'yes' } } }]
  const items = ids.map((id) => ({ id, responses }))
  const owner = server.clientFor(server.owner)
  for (let at = 0; at < items.length; at += 500)
    must(await owner.put(`/datasets/${dataset}/records/bulk`, { items: items.slice(at, at + 500) }))
  expect((await bob.next(6)).ids).toEqual(ids.slice(0, 6))
  expect((await ann.next(6)).ids).toEqual([])
})
