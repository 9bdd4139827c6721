import { query } from '@postil/server/platform/db/operations.ts'
import { openPostgres } from '@postil/server/platform/db/postgres/open.ts'
import type { Store } from '@postil/server/platform/db/store.ts'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Server, startPostgres, startStandby } from '../../scripts/postgres.mjs'

/* Tests long reads on a replica. The replica is a real standby server, which the tests delay, stop or force to answer too late. */

let primary: Server
let standby: Server
let store: Store
let onPrimary: pg.Client
let onStandby: pg.Client

const connect = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

beforeAll(async () => {
  primary = await startPostgres({ name: `replica-of-${process.pid}`, durable: true })
  const first = await openPostgres({ url: primary.url })
  await first.close()
  standby = await startStandby(primary)
  onPrimary = await connect(primary.url)
  onStandby = await connect(standby.url)
  await onPrimary.query('create table seen (n int8 primary key)')
  store = await openPostgres({ url: primary.url, readUrl: standby.url })
})
afterAll(async () => {
  await store?.close()
  await onPrimary?.end()
  await onStandby?.end()
  await standby?.stop()
  await primary?.stop()
})

type Look = { readonly n: number; readonly there: boolean }
const look = query('replica.look', async (db): Promise<Look> => {
  const { rows } = await sql<{ n: unknown; there: boolean }>`
    select (select count(*) from seen) as n, pg_is_in_recovery() as there`.execute(db.sql)
  return { n: Number(rows[0]?.n), there: rows[0]?.there === true }
})
const long = () => store.read(look, {}, { lane: 'slow' })

it('serves long reads a hundred times, with all earlier writes', async () => {
  let answered = 0
  for (let n = 1; n <= 100; n++) {
    await onPrimary.query('insert into seen values ($1)', [n])
    const seen = await long()
    expect(seen.n).toBe(n)
    if (seen.there) answered += 1
    // On a busy machine, the standby may occasionally be too late. The store then uses the primary for a while.
    else await expect.poll(long, { interval: 200 }).toEqual({ n, there: true })
  }
  expect(answered).toBeGreaterThan(90)
})

const forgetStatements = query('replica.forget', async (db, _: object) => {
  await sql`deallocate all`.execute(db.sql)
})

it('serves the next read after a pooler loses prepared statements', async () => {
  for (let i = 0; i < 5; i += 1) await long()
  await store.read(forgetStatements, {}, { lane: 'slow' })
  expect((await long()).n).toBe(100)
  expect(await long()).toEqual({ n: 100, there: true })
})

it('serves no reads that the page waits for', async () => {
  expect(await store.read(look, {})).toEqual({ n: 100, there: false })
})

it('is skipped when it lags: the primary serves the read, with all earlier writes', async () => {
  await onStandby.query('select pg_wal_replay_pause()')
  await onPrimary.query('insert into seen values (101)')
  expect(await long()).toEqual({ n: 101, there: false })
  await onStandby.query('select pg_wal_replay_resume()')
})

it('is used again when it returns, and the primary serves while it is away', async () => {
  await expect.poll(long, { interval: 200 }).toEqual({ n: 101, there: true })
  await standby.crash()
  expect(await long()).toEqual({ n: 101, there: false })
  await onPrimary.query('insert into seen values (102)')
  await standby.restart()
  await expect.poll(long, { interval: 200 }).toEqual({ n: 102, there: true })
})

it('must follow another server to count as a replica', async () => {
  const alone = await openPostgres({ url: primary.url, readUrl: primary.url })
  expect(await alone.read(look, {}, { lane: 'slow' })).toEqual({ n: 102, there: false })
  await alone.close()
})
