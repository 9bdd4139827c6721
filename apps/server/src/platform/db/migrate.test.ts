import { emptyPlace, migratedPlace, testEngine } from '@postil/testkit/store.ts'
import { describe, expect, it } from 'vitest'
import { migrations } from './migrate.ts'
import { openStore } from './open.ts'
import { appliedRevisions, migrateStore } from './revisions.ts'
import { addMigration } from './store.test.operations.ts'

const operations = new URL('./store.test.operations.ts', import.meta.url).href

describe('migrations', () => {
  it('run automatically once, and refuse a database migrated by a newer version', async () => {
    const place = await emptyPlace()
    const open = () => openStore({ dataDir: place.folder, databaseUrl: place.url, operations, exclusive: true })
    try {
      const first = await open()
      expect((await first.health()).engine).toBe(testEngine())
      await first.close()
      const second = await open()
      await second.write(addMigration, { name: '9999-from-the-future' })
      await second.close()
      await expect(open()).rejects.toThrow('migrated by a newer version of Postil (9999-from-the-future)')
    } finally {
      await place.drop()
    }
  })

  it('have all been applied when tests start, including in databases created at once', async () => {
    const places = await Promise.all([migratedPlace(), migratedPlace()])
    for (const { folder, url, drop } of places) {
      const place = { dataDir: folder, databaseUrl: url, databaseDirectUrl: undefined, sqliteTimeoutMs: 5000 }
      expect(await appliedRevisions(place)).toEqual(migrations.map(({ name }) => name))
      expect(await migrateStore(place)).toEqual([])
      await drop()
    }
  })

  if (testEngine() === 'sqlite') return

  it('run one process at a time when two start at once', async () => {
    const place = await emptyPlace()
    const open = () => openStore({ dataDir: place.folder, databaseUrl: place.url, operations, exclusive: true })
    const stores = await Promise.all([open(), open(), open()])
    await Promise.all(stores.map((store) => store.close()))
    await place.drop()
  })

  it('report an unreachable database with a message', async () => {
    const open = openStore({ dataDir: '', databaseUrl: 'postgres://nobody@127.0.0.1:1/none', operations, exclusive: true })
    await expect(open).rejects.toThrow('The PostgreSQL database cannot be used')
  })
})
