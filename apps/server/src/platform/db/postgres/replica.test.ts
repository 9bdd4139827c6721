import { migratedPlace } from '@postil/testkit/store.ts'
import { expect, it } from 'vitest'
import { query } from '../operations.ts'
import { openPostgres } from './open.ts'

const count = query('replica.test.count', (db, _: object) => db.sql.selectFrom('datasets').select('no').execute())

// NOTE: what one answers that is there: e2e/deploy/replica
it.runIf(process.env['POSTIL_TEST_ENGINE'] === 'postgres').each([
  ['nothing listens', 'postgresql://nobody@127.0.0.1:1/none', /ECONNREFUSED/],
  ['it follows nobody', undefined, /^it follows no other server$/],
])('a replica that does not answer because %s is told of once, and its reads are answered', async (_, readUrl, reason) => {
  const place = await migratedPlace()
  const url = place.url ?? ''
  const told: string[] = []
  const store = await openPostgres({ url, readUrl: readUrl ?? url, onReplicaAway: ({ message }) => told.push(message) })
  const long = () => store.read(count, {}, { lane: 'slow' })
  expect(await Promise.all([long(), long()])).toEqual([[], []])
  expect(await long()).toEqual([])
  expect(told).toEqual([expect.stringMatching(reason)])
  await store.close()
  await place.drop()
})
