import type { TestServer } from '@postil/testkit/boot.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Annotator, bootQueue, makeTeam, must } from './testing/team.ts'

let server: TestServer
beforeAll(async () => {
  server = await bootQueue()
})
afterAll(() => server.close())

const DIMENSIONS = 12
const BY_EMB = [{ scope: { entity: 'spread', vector: 'emb' }, order: 'asc' }]
const EMB = { name: 'emb', title: 'Embedding', dimensions: DIMENSIONS }

/** A vector near one of `clusters` directions. Nearly all vectors are near the first direction. */
const vectorOf = (index: number, clusters: number): number[] => {
  const cluster = index % 20 === 7 ? 1 + (Math.floor(index / 20) % (clusters - 1)) : 0
  return Array.from({ length: DIMENSIONS }, (_, i) => (i === cluster ? 1 : 0) + 0.02 * Math.sin(index * (i + 1)))
}
const cosine = (a: readonly number[], b: readonly number[]): number => {
  const dot = (x: readonly number[], y: readonly number[]) => x.reduce((sum, value, i) => sum + value * (y[i] ?? 0), 0)
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))
}

const team = async (records: number, { hasVector = () => true }: { readonly hasVector?: (index: number) => boolean } = {}) => {
  const extra = (index: number) => (hasVector(index) ? { vectors: { emb: vectorOf(index, 10) } } : {})
  const made = await makeTeam(server, { records, target: 1, members: 2, vectors: [EMB], extra })
  const owner = server.clientFor(server.owner)
  const [ann, bob] = made.members as [Annotator, Annotator]
  const path = `/datasets/${made.dataset}/queue-settings`
  return { ...made, ann, bob, owner, path, set: (order: unknown) => owner.put(path, { order }) }
}

describe('a queue that spreads records', () => {
  it('assigns the record that is farthest from its nearest predecessor', async () => {
    const { ids, ann, set } = await team(300)
    must(await set(BY_EMB))
    const first = (await ann.next(40)).ids.map((id) => vectorOf(ids.indexOf(id), 10))
    const all = ids.map((_, index) => vectorOf(index, 10))
    const distanceFrom = (chosen: readonly (readonly number[])[], vector: readonly number[]) =>
      Math.min(...chosen.map((one) => 1 - cosine(one, vector)))
    for (let i = 1; i < first.length; i++) {
      const chosen = first.slice(0, i)
      const farthest = Math.max(...all.map((vector) => distanceFrom(chosen, vector)))
      expect(distanceFrom(chosen, first[i] ?? [])).toBeCloseTo(farthest, 5)
    }
    // The first ten records come from all ten groups, although nine of the groups are rare.
    const groups = new Set(first.slice(0, 10).map((vector) => vector.indexOf(Math.max(...vector))))
    expect(groups.size).toBe(10)
  })

  it('gives each record to one person, and counts exactly, page after page', async () => {
    const { ids, ann, bob, set } = await team(450)
    must(await set(BY_EMB))
    const seen: string[] = []
    while (seen.length < ids.length) {
      const given = (await Promise.all([ann.next(30, { exclude: [] }), bob.next(30, { exclude: [] })])).map((one) => one.ids)
      for (const [i, some] of given.entries()) {
        for (const id of some) await (i === 0 ? ann : bob).answer(id)
        seen.push(...some)
      }
      if (given.flat().length === 0) break
    }
    expect(seen.toSorted()).toEqual(ids.toSorted())
    expect((await ann.next()).left).toBe(0)
  })

  it('assigns records without vectors last, and records that were added later too', async () => {
    const { ids, dataset, owner, ann, set } = await team(60, { hasVector: (index) => index % 3 !== 0 })
    must(await set(BY_EMB))
    const before = await ann.next(30)
    expect(before.left).toBe(60)
    expect(before.ids.filter((id) => ids.indexOf(id) % 3 === 0)).toEqual([])
    const items = [{ fields: { text: 'new' }, vectors: { emb: [...Array(DIMENSIONS - 1).fill(0), -1] } }]
    const { items: made } = must(await owner.post<{ items: { id: string }[] }>(`/datasets/${dataset}/records/bulk`, { items }))
    for (const id of before.ids) await ann.answer(id)
    const rest = (await ann.next(31)).ids
    const without = ids.filter((_, index) => index % 3 === 0)
    expect(rest.slice(11)).toEqual(without)
    expect(rest.slice(0, 11)).toContain(made[0]?.id)
  })

  it('starts with partly answered records', async () => {
    const { ids, dataset, owner, ann, bob, set } = await team(40)
    must(await owner.patch(`/datasets/${dataset}`, { distribution: { strategy: 'overlap', min_submitted: 2 } }))
    must(await set(BY_EMB))
    await ann.answer(ids[17] ?? '')
    expect((await bob.next(1)).ids).toEqual([ids[17]])
  })
})

describe('the settings', () => {
  it('refuse a spread without its vectors', async () => {
    const { ids: _, set, path, owner, dataset } = await team(3)
    expect(await set([{ scope: { entity: 'spread', vector: 'other' }, order: 'asc' }])).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining('other') },
    })
    must(await set(BY_EMB))
    expect((await owner.get<{ order: unknown }>(path)).body.order).toEqual(BY_EMB)
    const { items } = must(await owner.get<{ items: { id: string }[] }>(`/datasets/${dataset}/vectors-settings`))
    must(await owner.delete(`/vectors-settings/${items[0]?.id}`))
    expect((await owner.get<{ order: unknown }>(path)).body.order).toBeNull()
    expect(await set(BY_EMB)).toMatchObject({ status: 422, body: { detail: expect.stringContaining('no vectors') } })
  })
})
