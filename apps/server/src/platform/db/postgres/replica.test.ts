import { migratedPlace } from '@postil/testkit/store.ts'
import { expect, it } from 'vitest'
import { query } from '../operations.ts'
import { openPostgres } from './open.ts'

const count = query('replica.test.count', (db, _: object) => db.sql.selectFrom('datasets').select('no').execute())

// A working replica is tested in e2e/deploy/replica.
it.runIf(process.env['POSTIL_TEST_ENGINE'] === 'postgres').each([
  ['no server listens', 'postgresql://nobody@127.0.0.1:1/none', /ECONNREFUSED/],
  ['it follows no primary', undefined, /^it is not a replica$/],
])('a replica that is unavailable because %s is reported once, and its reads still succeed', async (_, readUrl, reason) => {
  const place = await migratedPlace()
  const url = place.url ?? ''
  const warnings: string[] = []
  const store = await openPostgres({ url, readUrl: readUrl ?? url, onReplicaAway: ({ message }) => warnings.push(message) })
  const long = () => store.read(count, {}, { lane: 'slow' })
  expect(await Promise.all([long(), long()])).toEqual([[], []])
  expect(await long()).toEqual([])
  expect(warnings).toEqual([expect.stringMatching(reason)])
  await store.close()
  await place.drop()
})
