import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Fixture } from '../testing/boot.ts'
import { bootFixture, must } from '../testing/boot.ts'

let fixture: Fixture
beforeAll(async () => {
  fixture = await bootFixture()
})
afterAll(() => fixture.close())

/** Returns `size` of the `of` records that all clients write. The seed determines which ones, and their order. */
const someOf = (name: string, { seed, size, of }: { readonly seed: number; readonly size: number; readonly of: number }) =>
  Array.from({ length: size }, (_, i) => (i * 7 + seed * 13) % of).map((number) => ({
    fields: { text: `text ${number} ${seed}` },
    external_id: `${name} ${number}`,
    metadata: { size: number % 100 },
  }))

test('concurrent bulk requests that share new records create each of them once, and none is rejected', async () => {
  const of = 150
  const statuses: number[] = []
  const ids = new Map<string | null, Set<string>>()
  const client = async (first: number) => {
    for (let round = 0; round < 6; round += 1) {
      const { status, body } = await fixture.put(someOf('shared', { seed: first + round, size: 40, of }))
      statuses.push(status)
      for (const { external_id, id } of body.items ?? []) ids.set(external_id, (ids.get(external_id) ?? new Set()).add(id))
    }
  }
  await Promise.all(Array.from({ length: 6 }, (_, i) => client(i * 5)))
  expect(statuses).toEqual(statuses.map(() => 200))
  expect(Math.max(...[...ids.values()].map(({ size }) => size))).toBe(1)
  expect(await fixture.differences()).toEqual([])
})

test('a dataset can be changed while several clients keep sending it records', async () => {
  let isOver = false
  let bulks = 0
  const client = async (seed: number) => {
    while (!isOver && bulks < 400) {
      must(await fixture.put(someOf('busy', { seed, size: 40, of: 60 })))
      bulks += 1
    }
  }
  const clients = Array.from({ length: 5 }, (_, i) => client(i))
  await expect.poll(() => bulks).toBeGreaterThan(10)
  const before = bulks
  const { status } = await fixture.server
    .clientFor(fixture.admin)
    .patch(`/datasets/${fixture.dataset}`, { guidelines: 'as of now' })
  const bulksDuringChange = bulks - before
  isOver = true
  await Promise.all(clients)
  expect(status).toBe(200)
  // While the PATCH request runs, the server may finish the bulk requests that were already waiting, and a few more between two
  // steps of the PATCH request.
  expect(bulksDuringChange).toBeLessThan(60)
})
