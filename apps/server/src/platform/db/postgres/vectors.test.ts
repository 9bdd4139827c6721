import { emptyPlace } from '@postil/testkit/store.ts'
import pg from 'pg'
import { describe, expect, it, vi } from 'vitest'
import { buildVectors, dropVectors, storeVectors } from '../vectors/vector-index.test.operations.ts'
import { openPostgres } from './open.ts'

describe.runIf(process.env['POSTIL_TEST_ENGINE'] === 'postgres')(
  'an index for vectors that are deleted during its creation',
  () => {
    it('is abandoned at once', async () => {
      const place = await emptyPlace()
      const url = place.url ?? ''
      const store = await openPostgres({ url })
      const [somebody, watcher] = [new pg.Client(url), new pg.Client(url)]
      await Promise.all([somebody.connect(), watcher.connect()])
      try {
        const setting = { datasetNo: 1, settingNo: 1 }
        await store.write(storeVectors, { ...setting, vectors: [[1, 2, 3]], from: 0 })
        // The index build can't finish while somebody reads.
        await somebody.query('begin isolation level repeatable read')
        await somebody.query('select n from counters')
        const built = store.read(buildVectors, { ...setting, dimensions: 3 }).then(
          () => 'built',
          () => 'given up',
        )
        const indexes = async () => {
          const { rows } = await watcher.query("select 1 from pg_stat_progress_create_index where phase like 'waiting%snapshots'")
          return rows.length
        }
        await vi.waitFor(async () => expect(await indexes()).toBe(1), 10_000)
        await store.read(dropVectors, setting)
        expect(await built).toBe('given up')
      } finally {
        await Promise.all([somebody.end(), watcher.end()])
        await store.close()
        await place.drop()
      }
    })
  },
)
