import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Client, createClient } from '@postil/testkit/client.ts'
import { detail } from '@postil/testkit/detail.ts'
import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { postil, startPostil } from '../harness/cli.ts'
import type { Engine, Place } from '../harness/server.ts'
import { emptyPlace, OWNER, startServer, testEngine } from '../harness/server.ts'
import { fetchEverything, fillSource, type MigrationSource } from './migrate/fixtures.ts'

const SECRET = { POSTIL_SECRET: 'one secret for both of the engines' }
const RECORDS = 300

const places: Place[] = []
const newPlace = async (engine: Engine): Promise<Place> => {
  const place = await emptyPlace(engine)
  places.push(place)
  return place
}
afterAll(() => Promise.all(places.map((place) => place.drop())))

const withServer = async <T>(place: Place, look: (client: Client) => Promise<T>): Promise<T> => {
  const server = await startServer({ place, env: SECRET })
  try {
    return await look(createClient(server.url, { api_key: OWNER.apiKey }))
  } finally {
    await server.stop()
  }
}

type Items = { readonly items: readonly { readonly id: string }[] }
type Found = { readonly total: number }
/** Everything that a server returns, including encrypted values and results that require the indexes. */
const exportAll = async (client: Client, { dataset }: MigrationSource) => {
  const search = (body: object) => client.post<Found>(`/datasets/${dataset.id}/records/search?limit=7`, body)
  const vector = { name: 'wide', value: [1, 2, 3, 4, 5] }
  return {
    ...(await fetchEverything(client)),
    webhooks: (await client.get('/webhooks')).body,
    words: (await search({ query: { text: { q: 'rome 7' } } })).body.total,
    alike: (await search({ query: { vector } })).body,
    filtered: (
      await search({
        filters: { and: [{ type: 'range', scope: { entity: 'metadata', metadata_property: 'n' }, ge: 5, le: 99 }] },
      })
    ).body.total,
  }
}

/**
 * Compares everything immediately, and again after the text index is rebuilt. Searches must return the same results both times.
 */
const expectAll = async (place: Place, seeded: MigrationSource, expected: unknown): Promise<void> => {
  await withServer(place, async (client) => {
    expect(await exportAll(client, seeded)).toEqual(expected)
    await expect
      .poll(async () => (await postil(place, ['doctor'], SECRET)).stdout, { timeout: 60_000 })
      .not.toContain('rebuild in progress')
    expect(await exportAll(client, seeded)).toEqual(expected)
  })
  expect(await postil(place, ['doctor'], SECRET)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('No problems found'),
  })
}

// Runs with PostgreSQL only, because only that run has both engines.
describe.runIf(testEngine() === 'postgres')('restoring a backup of one engine into the other', () => {
  test('keeps everything the same after a round trip', async () => {
    const embedded = await newPlace('sqlite')
    const { seeded, expected } = await withServer(embedded, async (client) => {
      const created = await fillSource(client, RECORDS)
      // A private address, which the server rejects before it sends anything.
      const hook = { url: 'http://127.0.0.1:9/hook', events: ['dataset.updated'], description: 'd' }
      expect((await client.post('/webhooks', hook)).status).toBe(201)
      for (const guidelines of ['a', 'b', 'c'])
        expect((await client.patch(`/datasets/${created.other.id}`, { guidelines })).status).toBe(200)
      return { seeded: created, expected: await exportAll(client, created) }
    })
    expect(expected.words).toBeGreaterThan(0)
    const first = join(embedded.dataDir, 'first.backup')
    expect(await postil(embedded, ['backup', first], SECRET)).toMatchObject({ code: 0, stderr: '' })

    const team = await newPlace('postgres')
    const into = await postil(team, ['restore', first], SECRET)
    expect(into).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('Restored the database postil_e2e_') })
    await expectAll(team, seeded, expected)

    const second = join(team.dataDir, 'second.backup')
    const changed = await withServer(team, async (client) => {
      const items = [{ fields: { text: 'written on the other engine' }, external_id: 'later' }]
      expect((await client.post(`/datasets/${seeded.dataset.id}/records/bulk`, { items })).status).toBe(201)
      const [hook] = (await client.get<Items>('/webhooks')).body.items
      const deliveries = async () => (await client.get<Items>(`/webhooks/${hook?.id}/deliveries`)).body.items.map(({ id }) => id)
      const earlier = await deliveries()
      expect((await client.patch(`/datasets/${seeded.other.id}`, { guidelines: 'after' })).status).toBe(200)
      // New deliveries are numbered after the existing ones.
      expect((await deliveries()).slice(1)).toEqual(earlier)
      expect(earlier).toHaveLength(3)
      // The server keeps running during the backup.
      expect(await postil(team, ['backup', second], SECRET)).toMatchObject({ code: 0, stderr: '' })
      return exportAll(client, seeded)
    })
    const back = await newPlace('sqlite')
    expect(await postil(back, ['restore', second], SECRET)).toMatchObject({ code: 0, stderr: '' })
    await expectAll(back, seeded, changed)

    const refused = await postil(team, ['restore', first], SECRET)
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('already contains data') })
    expect(await postil(team, ['restore', first, '--force'], SECRET)).toMatchObject({ code: 0 })
    await expectAll(team, seeded, expected)
    for (const { dataDir } of [embedded, team, back])
      expect(readdirSync(dataDir).filter((name) => name.includes('part'))).toEqual([])
  })

  detail('requires the secret of the backup, and says how to get it', async () => {
    const embedded = await newPlace('sqlite')
    const team = await newPlace('postgres')
    await postil(embedded, ['workspaces', 'create', 'team'])
    const file = join(embedded.dataDir, 'one.backup')
    expect(await postil(embedded, ['backup', file])).toMatchObject({ code: 0 })
    const other = await postil(team, ['restore', file], SECRET)
    expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining('tar xzOf FILE secret') })
    expect((await postil(team, ['workspaces', 'list'], SECRET)).stdout).not.toContain('team')
    const fresh = await newPlace('postgres')
    const own = { POSTIL_SECRET: execFileSync('tar', ['xzOf', file, 'secret'], { encoding: 'utf8' }).trim() }
    expect(await postil(fresh, ['restore', file], own)).toMatchObject({ code: 0, stderr: '' })
    expect((await postil(fresh, ['workspaces', 'list'], own)).stdout).toContain('team')
  })

  detail('leaves a database of an older version with data unchanged', async () => {
    const team = await newPlace('postgres')
    const file = join(team.dataDir, 'one.backup')
    const full = await newPlace('sqlite')
    await postil(full, ['workspaces', 'create', 'team'], SECRET)
    expect(await postil(full, ['backup', file], SECRET)).toMatchObject({ code: 0 })
    expect(await postil(team, ['database', 'migrate', '--revision', '0001-foundations'], SECRET)).toMatchObject({ code: 0 })
    const client = new pg.Client({ connectionString: team.databaseUrl })
    await client.connect()
    await client.query('insert into workspaces (id, name, inserted_at, updated_at) values (gen_random_uuid(), $1, 0, 0)', [
      'theirs',
    ])
    await client.end()
    const revisions = () => postil(team, ['database', 'revisions'], SECRET)
    const before = await revisions()
    expect(before.stdout).toContain('not applied')
    expect(await postil(team, ['restore', file], SECRET)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('already contains data'),
    })
    expect(await revisions()).toEqual(before)
  })

  detail('leaves no copy behind and the database unchanged when it is interrupted', async () => {
    const team = await newPlace('postgres')
    await postil(team, ['workspaces', 'create', 'team'], SECRET)
    const file = join(team.dataDir, 'one.backup')
    expect(await postil(team, ['backup', file], SECRET)).toMatchObject({ code: 0 })
    const scratch = join(team.dataDir, 'scratch')
    mkdirSync(scratch)
    // The restore must wait for this reader of the settings.
    const reader = new pg.Client({ connectionString: team.databaseUrl })
    await reader.connect()
    await reader.query('begin')
    await reader.query('lock table settings in access share mode')
    const waiting = () =>
      reader.query(
        'select 1 from pg_locks join pg_database d on d.oid = database where datname = current_database() and not granted',
      )
    const restoring = startPostil(team, ['restore', file, '--force'], { ...SECRET, TMPDIR: scratch })
    await expect.poll(async () => (await waiting()).rowCount, { timeout: 30_000 }).toBe(1)
    expect(readdirSync(scratch)).toHaveLength(1)
    restoring.kill('SIGTERM')
    expect(await restoring.ended).toMatchObject({
      stdout: '',
      stderr: 'Stopped before the command finished. Partial output was removed.\n',
    })
    expect(readdirSync(scratch)).toEqual([])
    await reader.end()
    expect((await postil(team, ['workspaces', 'list'], SECRET)).stdout).toContain('team')
  })

  test('refuses a database without Postil data and a missing backup', async () => {
    const team = await newPlace('postgres')
    const file = join(team.dataDir, 'x.backup')
    expect(await postil(team, ['backup', file])).toMatchObject({ code: 1, stderr: expect.stringContaining('no Postil data') })
    expect(await postil(team, ['restore', file])).toMatchObject({ code: 1, stderr: expect.stringContaining('does not exist') })
    expect(readdirSync(team.dataDir)).toEqual([])
  })
})
