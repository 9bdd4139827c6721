import { testEngine } from '@postil/testkit/store.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recount } from '#features/records/service.ts'
import { rowsOf } from '#features/responses/testing/operations.ts'
import { must, names, search, text } from '#features/search/testing/searching.ts'
import { bootIdleServer, type IdleServer } from './testing/idle-server.ts'
import { beginRebuild, deleteTokens, textStateOf } from './testing/operations.ts'

let idleServer: IdleServer
beforeAll(async () => {
  idleServer = await bootIdleServer(new URL('./testing/operations.ts', import.meta.url))
})
afterAll(() => idleServer.close())

const owner = () => idleServer.server.clientFor(idleServer.server.owner)
const item = (i: number, word = 'hello') => ({
  external_id: `e${i}`,
  fields: { text: `${word} number${i} of${i % 7}` },
})
const items = (from: number, count: number) => Array.from({ length: count }, (_, i) => item(from + i))
const prepare = async () => {
  const dataset = await idleServer.server.createDataset({})
  const rows = await idleServer.tool.read(rowsOf, { table: 'datasets' })
  const bulk = (some: readonly object[]) => owner().put(`/datasets/${dataset.id}/records/bulk`, { items: some })
  const total = async (q: string) => (await search(owner(), dataset, text(q), { page: '?limit=1' })).total
  return { dataset, no: Number(rows.find(({ id }) => id === dataset.id)?.no), bulk, total }
}
const differences = (no: number) => recount(idleServer.server.app.ctx, no)

describe('texts of new records', () => {
  it('are found as soon as the bulk request returns', async () => {
    const { bulk, total, no } = await prepare()
    for (let round = 0; round < 12; round += 1) {
      must(await bulk(items(round * 40, 40)))
      const [all, last, fuzzy] = await Promise.all(['hello', `number${round * 40 + 39}`, 'helo~1'].map(total))
      expect([all, last, fuzzy]).toEqual([(round + 1) * 40, 1, (round + 1) * 40])
      expect(await differences(no)).toEqual([])
    }
  })

  it('are found after concurrent bulk requests, including ones that change records', async () => {
    const { bulk, total, no } = await prepare()
    must(await bulk(items(0, 40)))
    for (let round = 1; round <= 6; round += 1) {
      const sent = [items(round * 40, 40), [...items(round * 100_000, 5), item(round, 'changed')], items(round * 10_000, 20)]
      await Promise.all(sent.map(async (some) => must(await bulk(some))))
      expect(await Promise.all(['number*', 'changed', 'hello'].map(total))).toEqual([40 + round * 65, round, 40 + round * 64])
      expect(await differences(no)).toEqual([])
    }
  })

  it('are found while searches run continuously during bulk requests', async () => {
    const { bulk, total } = await prepare()
    let confirmed = 0
    let isOver = false
    const asking = (async () => {
      while (!isOver) {
        const before = confirmed
        const found = await total('hello')
        expect(found).toBeGreaterThanOrEqual(before)
        expect(found % 50).toBe(0)
      }
    })()
    for (let round = 0; round < 20; round += 1) {
      must(await bulk(items(round * 50, 50)))
      confirmed += 50
    }
    isOver = true
    await asking
    expect(await total('hello')).toBe(1000)
  })
})

// Text indexing is deferred only in the embedded database, which has a single writing process.
describe.runIf(testEngine() === 'sqlite')('texts that a killed process left unindexed', () => {
  const lose = async () => {
    const made = await prepare()
    must(await made.bulk(items(0, 30)))
    must(await made.bulk(items(30, 20)))
    await idleServer.tool.write(deleteTokens, { dataset_no: made.no, from: 31 })
    const due = async () => (await idleServer.tool.read(textStateOf, { dataset_no: made.no })).text_due_from
    expect(await due()).toBe(31)
    expect(await differences(made.no)).toEqual([])
    return { ...made, due }
  }

  it('are indexed by the first search', async () => {
    const { total, due, no } = await lose()
    expect(await total('hello')).toBe(50)
    expect(await total('number35')).toBe(1)
    expect(await due()).toBeNull()
    expect(await differences(no)).toEqual([])
  })

  it.each([
    ['changes', () => item(40, 'changed'), { hello: 49, changed: 1 }],
    ['adds', () => item(99, 'added'), { hello: 50, added: 1 }],
  ])('are indexed before a bulk request that %s a record', async (_, made, found) => {
    const { bulk, total, due, no } = await lose()
    must(await bulk([made()]))
    for (const [word, count] of Object.entries(found)) expect([word, await total(word)]).toEqual([word, count])
    expect(await due()).toBeNull()
    expect(await differences(no)).toEqual([])
  })

  it('are indexed before a record is deleted', async () => {
    const { dataset, total, due, no } = await lose()
    const { items: some } = await search(owner(), dataset, {}, { page: '?limit=50' })
    const gone = some.find(({ record }) => record.external_id === 'e45')
    must(await owner().delete(`/records/${gone?.record.id}`))
    expect([await total('hello'), await total('number45')]).toEqual([49, 0])
    expect(await due()).toBeNull()
    expect(await differences(no)).toEqual([])
  })

  it('don’t delay requests without text search, and stay pending', async () => {
    const { dataset, due } = await lose()
    expect(names(await search(owner(), dataset, {}, { page: '?limit=50' }))).toHaveLength(50)
    expect(await due()).toBe(31)
  })

  it('are left to an index rebuild', async () => {
    const { total, due, no } = await lose()
    await idleServer.tool.write(beginRebuild, { dataset_no: no })
    expect(await due()).toBeNull()
    expect(await total('hello')).toBe(50)
  })
})
