import { chmodSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { emptyPlace } from '@postil/testkit/store.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStore } from '#platform/db/open.ts'
import type { Store } from '#platform/db/store.ts'
import { writerSettings, writeText } from './testing/operations.ts'

let store: Store
let place: Awaited<ReturnType<typeof emptyPlace>>
beforeAll(async () => {
  place = await emptyPlace('sqlite')
  const operations = new URL('./testing/operations.ts', import.meta.url).href
  store = await openStore({ dataDir: place.folder, operations, exclusive: true })
})
afterAll(async () => {
  await store.close()
  await place.drop()
})

it('syncs every commit of the writer to disk', async () => {
  const names = ['journal_mode', 'synchronous', 'wal_autocheckpoint', 'query_only']
  // 2 means FULL: in WAL mode the log is synced at each commit, not only at checkpoints.
  expect(await store.write(writerSettings, { names })).toEqual({
    journal_mode: 'wal',
    synchronous: 2,
    wal_autocheckpoint: 16_000,
    query_only: 0,
  })
})

it('can’t be read by other users of the machine, whatever the folder permissions', () => {
  chmodSync(place.folder, 0o755)
  const files = readdirSync(place.folder).filter((name) => name.startsWith('postil.db'))
  expect(files).toContain('postil.db')
  for (const name of files) expect([name, statSync(join(place.folder, name)).mode & 0o077]).toEqual([name, 0])
})

it('checkpoints its WAL under continuous writes, so the WAL stays bounded', async () => {
  const log = join(place.folder, 'postil.db-wal')
  let largest = 0
  for (let i = 0; i < 150; i += 1) {
    await store.write(writeText, { name: `text ${i % 5}`, bytes: 1_000_000 })
    largest = Math.max(largest, statSync(log).size)
  }
  expect(largest).toBeGreaterThan(1_000_000)
  expect(largest).toBeLessThan(40_000_000)
})
