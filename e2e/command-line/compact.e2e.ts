import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@postil/testkit/client.ts'
import { createFactories } from '@postil/testkit/factories.ts'
import { afterAll, expect, test, vi } from 'vitest'
import { countDatasetRows } from '../durability/inspect.ts'
import { canMount, smallDisk } from '../durability/small-disk.ts'
import { postil, startPostil } from '../harness/cli.ts'
import { emptyPlace, OWNER, type Place, startServer, testEngine } from '../harness/server.ts'
import { addRecords, answeredRecords, startWritingAnswers } from './answering.ts'

const cleanups: (() => Promise<void> | void)[] = []
afterAll(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const COMPACT = ['database', 'compact']
const DELETED_MS = 60_000
const sizeIn = (place: Place, file: string): number => statSync(join(place.dataDir, file), { throwIfNoEntry: false })?.size ?? 0

/** Creates a database in which half of the data is deleted, and returns the other half. */
const seedHalfDeleted = async (place: Place) => {
  const server = await startServer({ place })
  const client = createClient(server.url, { api_key: OWNER.apiKey })
  const { createDataset } = createFactories(client)
  const [keptDataset, gone] = [await createDataset({ name: 'kept' }), await createDataset({ name: 'gone' })]
  const writing = startWritingAnswers(client, await addRecords(client, keptDataset.id))
  await addRecords(client, gone.id)
  await vi.waitFor(() => expect(writing.confirmed.length).toBeGreaterThan(50), { timeout: DELETED_MS })
  await writing.stop()
  const refused = await postil(place, COMPACT)
  await client.delete(`/datasets/${gone.id}`)
  await vi.waitFor(async () => expect(await countDatasetRows(place, gone.id)).toEqual({}), { timeout: DELETED_MS, interval: 100 })
  await server.stop()
  return { dataset: keptDataset.id, confirmed: writing.confirmed, besideServer: refused }
}

const expectConsistent = async (place: Place): Promise<void> => {
  expect(await postil(place, ['doctor'])).toMatchObject({ code: 0, stdout: expect.stringContaining('in order') })
}

/** Creates a folder, on its own disk if possible. */
const newPlace = async () => {
  const disk = canMount() ? smallDisk(160) : null
  const place =
    disk === null ? await emptyPlace() : { dataDir: disk.folder, databaseUrl: undefined, drop: async () => disk.drop() }
  cleanups.push(place.drop)
  return { place, disk }
}

test.runIf(testEngine() === 'sqlite')(
  'the embedded database is compacted without loss, even if killed, but not while a server runs or without disk space',
  async () => {
    const { place, disk } = await newPlace()
    const { dataset, confirmed, besideServer } = await seedHalfDeleted(place)
    expect(besideServer).toMatchObject({ code: 1, stderr: expect.stringContaining('already running') })
    const before = sizeIn(place, 'postil.db')
    if (disk !== null) {
      disk.fill(2_000_000)
      expect(await postil(place, COMPACT)).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/ has [\d.]+ [kM]B free, but compacting needs [\d.]+ MB: .* Nothing was changed\.\n$/),
      })
      expect(sizeIn(place, 'postil.db')).toBe(before)
      disk.empty()
    }
    for (const logged of [1, 1_000_000, 4_000_000]) {
      const { ended, kill } = startPostil(place, COMPACT)
      await vi.waitFor(() => expect(sizeIn(place, 'postil.db-wal')).toBeGreaterThan(logged), { timeout: 20_000, interval: 2 })
      kill()
      await ended
      await expectConsistent(place)
    }
    const compacted = await postil(place, [...COMPACT, '--json'])
    const after = sizeIn(place, 'postil.db')
    expect([compacted.code, JSON.parse(compacted.stdout)]).toEqual([0, { before: expect.any(Number), after, deleting: 0 }])
    expect(after).toBeLessThan(before * 0.7)
    expect(readdirSync(place.dataDir).filter((name) => name !== 'filler')).toEqual(['lock.db', 'postil.db', 'secret'])
    await expectConsistent(place)
    const server = await startServer({ place })
    const client = createClient(server.url, { api_key: OWNER.apiKey })
    const found = await answeredRecords(client, dataset)
    expect(confirmed.filter((id) => !found.has(id))).toEqual([])
    const search = { query: { text: { q: 'length pages' } } }
    expect((await client.post<{ total: number }>(`/me/datasets/${dataset}/records/search`, search)).body.total).toBe(5_000)
    await server.stop()
    expect(await postil(place, COMPACT)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^The database file was .* and is now /),
    })
  },
)

test.runIf(testEngine() === 'postgres')('a PostgreSQL database is refused', async () => {
  const place = await emptyPlace()
  cleanups.push(place.drop)
  expect(await postil(place, COMPACT)).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('autovacuum') })
})
