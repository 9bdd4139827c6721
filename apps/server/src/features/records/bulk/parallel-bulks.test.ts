import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Ground } from '../testing/boot.ts'
import { bootGround, must } from '../testing/boot.ts'

let ground: Ground
beforeAll(async () => {
  ground = await bootGround()
})
afterAll(() => ground.close())

/** Some of the same records, in an order of their own. */
const someOf = (name: string, { seed, size, of }: { readonly seed: number; readonly size: number; readonly of: number }) =>
  Array.from({ length: size }, (_, i) => (i * 7 + seed * 13) % of).map((number) => ({
    fields: { text: `text ${number} ${seed}` },
    external_id: `${name} ${number}`,
    metadata: { size: number % 100 },
  }))

test('bulks that share some of their new records and come at once make each of them once, and none is refused', async () => {
  const of = 150
  const statuses: number[] = []
  const ids = new Map<string | null, Set<string>>()
  const client = async (first: number) => {
    for (let round = 0; round < 6; round += 1) {
      const { status, body } = await ground.put(someOf('shared', { seed: first + round, size: 40, of }))
      statuses.push(status)
      for (const { external_id, id } of body.items ?? []) ids.set(external_id, (ids.get(external_id) ?? new Set()).add(id))
    }
  }
  await Promise.all(Array.from({ length: 6 }, (_, i) => client(i * 5)))
  expect(statuses).toEqual(statuses.map(() => 200))
  expect(Math.max(...[...ids.values()].map(({ size }) => size))).toBe(1)
  expect(await ground.differences()).toEqual([])
})

test('a dataset can be changed while several clients send it records without a pause', async () => {
  let isOver = false
  let bulks = 0
  const client = async (seed: number) => {
    while (!isOver && bulks < 400) {
      must(await ground.put(someOf('busy', { seed, size: 40, of: 60 })))
      bulks += 1
    }
  }
  const clients = Array.from({ length: 5 }, (_, i) => client(i))
  await expect.poll(() => bulks).toBeGreaterThan(10)
  const before = bulks
  const { status } = await ground.server.as(ground.admin).patch(`/datasets/${ground.dataset}`, { guidelines: 'as of now' })
  const meanwhile = bulks - before
  isOver = true
  await Promise.all(clients)
  expect(status).toBe(200)
  // Those that asked before it, and some that get in between two of its steps.
  expect(meanwhile).toBeLessThan(60)
})
