import { type Client, createClient } from '@postil/testkit/client.ts'
import { afterAll, beforeAll } from 'vitest'
import type { CliResult } from '../../harness/cli.ts'
import type { Place, RunningServer } from '../../harness/server.ts'
import { emptyPlace, OWNER, startServer } from '../../harness/server.ts'
import { fillSource, type MigrationSource } from './fixtures.ts'

/** A server to copy, with its data. It always uses the embedded database. The target uses the engine of the test run. */
export type Source = { server: RunningServer; place: Place; client: Client; seeded: MigrationSource }

/** Starts a source server for the tests of the calling file. `emptyTarget` creates an empty target to which it can be copied. */
export const setUpSource = (records: number): { readonly source: Source; readonly emptyTarget: () => Promise<Place> } => {
  const source = {} as Source
  const places: Place[] = []
  beforeAll(async () => {
    source.place = await emptyPlace('sqlite')
    source.server = await startServer({ place: source.place })
    source.client = createClient(source.server.url, { api_key: OWNER.apiKey })
    source.seeded = await fillSource(source.client, records)
  })
  afterAll(async () => {
    await source.server.stop()
    await source.place.drop()
    for (const place of places) await place.drop()
  })
  const emptyTarget = async (): Promise<Place> => {
    const place = await emptyPlace()
    places.push(place)
    return place
  }
  return { source, emptyTarget }
}

export const migrateFrom = (url: string, ...more: string[]) => ['migrate-from', url, '--api-key', OWNER.apiKey, ...more]

export const documentOf = ({ code, stdout, stderr }: CliResult) => ({ code, stderr, ...(JSON.parse(stdout || '{}') as object) })
