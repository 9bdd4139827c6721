import { emptyPlace, testEngine } from '@postil/testkit/store.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openPostgres } from '../postgres/open.ts'
import { openSqlite } from '../sqlite/open.ts'
import type { Store } from '../store.ts'
import { pipeline } from './pipeline.ts'
import {
  addOnce,
  believedQuestions,
  breakConnection,
  failInTurn,
  failTogether,
  forgetStatements,
  insertQuestions,
  numberOf,
  overlook,
  preparedStatements,
} from './statements.test.operations.ts'

const operations = new URL('./statements.test.operations.ts', import.meta.url).href
const stores: Store[] = []
let place: Awaited<ReturnType<typeof emptyPlace>>

/** Uses one connection, so that anything that happens to it affects every operation. */
const open = async (more: { readonly directUrl?: string } = {}): Promise<Store> => {
  const store =
    place.url === undefined
      ? await openSqlite({ folder: place.folder, operations, exclusive: false })
      : await openPostgres({ url: place.url, poolSize: 1, ...more })
  stores.push(store)
  return store
}
beforeAll(async () => {
  place = await emptyPlace()
})
afterAll(async () => {
  for (const store of stores) await store.close()
  await place.drop()
})

describe('parallel steps', () => {
  it('all run to the end, and the first error in their order is reported', async () => {
    const ended: string[] = []
    const step = async (name: string, ms: number, fault?: string) => {
      await new Promise((resolve) => setTimeout(resolve, ms))
      ended.push(name)
      if (fault !== undefined) throw new Error(fault)
      return name
    }
    await expect(pipeline([step('a', 30), step('b', 20, 'second'), step('c', 0, 'third')])).rejects.toThrow('second')
    expect(ended).toEqual(['c', 'b', 'a'])
    expect(await pipeline([step('d', 5), step('e', 0)])).toEqual(['d', 'e'])
    const consequence = Promise.reject(Object.assign(new Error('aborted'), { code: '25P02' }))
    await expect(pipeline([consequence, step('f', 0, 'the cause')])).rejects.toThrow('the cause')
  })

  it('are rolled back together, and leave the connection usable', async () => {
    const store = await open()
    for (let i = 0; i < 5; i += 1) {
      await expect(store.write(failTogether, { name: 'undone' })).rejects.toThrow(/null/i)
      await store.write(addOnce, { name: 'others' })
    }
    expect(await store.read(numberOf, { name: 'undone' })).toBe(0)
    expect(await store.read(numberOf, { name: 'others' })).toBe(5)
  })
})

describe('sequential steps', () => {
  it.each([
    [true, /null/i],
    [false, 'not prepared'],
  ])('are rolled back together, and leave the connection usable; failing in the store: %s', async (inStore, fault) => {
    const store = await open()
    for (let i = 0; i < 5; i += 1) {
      await expect(store.write(failInTurn, { name: 'undone', inStore })).rejects.toThrow(fault)
      await store.write(addOnce, { name: `after ${inStore}` })
    }
    expect(await store.read(numberOf, { name: 'undone' })).toBe(0)
    expect(await store.read(numberOf, { name: `after ${inStore}` })).toBe(5)
  })
})

if (testEngine() === 'postgres') {
  describe('frequent statements', () => {
    it('are prepared, and still work if the prepared statements are lost', async () => {
      const store = await open()
      for (let i = 0; i < 6; i += 1) await store.write(addOnce, { name: 'prepared' })
      expect(await store.read(preparedStatements, {})).toBeGreaterThan(0)
      await store.read(forgetStatements, {})
      for (let i = 0; i < 6; i += 1) await store.write(addOnce, { name: 'prepared' })
      expect(await store.read(numberOf, { name: 'prepared' })).toBe(12)
      await store.read(forgetStatements, {})
      for (let i = 0; i < 6; i += 1) expect(await store.read(numberOf, { name: 'prepared' })).toBe(12)
      expect(await store.read(preparedStatements, {})).toBe(0)
    })

    it('aren’t prepared through a pooler', async () => {
      const store = await open({ directUrl: place.url ?? '' })
      for (let i = 0; i < 6; i += 1) await store.write(addOnce, { name: 'pooled' })
      expect(await store.read(preparedStatements, {})).toBe(0)
    })
  })

  it('a transaction that the server rolled back never counts as committed', async () => {
    const store = await open()
    await expect(store.write(overlook, { name: 'overlooked' })).rejects.toThrow('rolled back')
    expect(await store.read(numberOf, { name: 'overlooked' })).toBe(0)
  })

  it('a broken connection fails its own statements and none after them', async () => {
    const store = await open()
    for (let i = 0; i < 3; i += 1) {
      await expect(store.write(breakConnection, { name: 'broken' })).rejects.toMatchObject({ data: { kind: 'unavailable' } })
      await store.write(addOnce, { name: 'after' })
    }
    expect(await store.read(numberOf, { name: 'broken' })).toBe(0)
    expect(await store.read(numberOf, { name: 'after' })).toBe(3)
  })

  it('the planner learns about a growing table within seconds', async () => {
    const store = await open()
    await store.write(insertQuestions, { rows: 1500 })
    await vi.waitFor(async () => expect(await store.read(believedQuestions, {})).toBe(1500), { timeout: 10_000, interval: 100 })
  })
}
