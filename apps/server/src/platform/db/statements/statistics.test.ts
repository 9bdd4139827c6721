import { emptyStore } from '@postil/testkit/store.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Store } from '../store.ts'
import { fillNumbers, knownDatasets } from './statistics.test.operations.ts'

const operations = new URL('./statistics.test.operations.ts', import.meta.url).href

// The embedded database plans queries by its indexes alone.
describe.runIf(process.env['POSTIL_TEST_ENGINE'] === 'postgres')("PostgreSQL's planner", () => {
  let store: Store
  let drop: () => Promise<void>
  beforeAll(async () => {
    const opened = await emptyStore({ operations })
    store = opened.store
    drop = opened.drop
  })
  afterAll(() => drop())

  const known = (names: string) => vi.waitFor(async () => expect(await store.read(knownDatasets, {})).toBe(names), 15_000)

  it('gets statistics for a first dataset, and for a smaller second one', async () => {
    await store.write(fillNumbers, { datasetNo: 1, rows: 3900 })
    await known('{1}')
    await store.write(fillNumbers, { datasetNo: 2, rows: 1100 })
    await known('{1,2}')
  })
})
