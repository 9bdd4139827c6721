import type { TestServer } from '@postil/testkit/boot.ts'
import { bootServer } from '@postil/testkit/boot.ts'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tables } from '../tables.ts'
import { distributed, lookAt } from './testing/shards.ts'

/** Tables with a dataset's number that stay together: few rows, found by who waits for them and not by dataset. */
const TOGETHER = ['outbox', 'jobs', 'bulk_answer_parts', 'imports', 'import_faults', 'saved_views']

describe('what is distributed', () => {
  it('is every table that grows with records', () => {
    const ofDatasets = Object.entries(tables).flatMap(([name, columns]) => ('dataset_no' in columns ? [name] : []))
    // NOTE: the text index of PostgreSQL is a table that the other engine does not have
    expect([...distributed].sort()).toEqual(['record_text', ...ofDatasets].filter((name) => !TOGETHER.includes(name)).sort())
  })
})

describe('a look at a statement', () => {
  const faultsOf = (sql: string) => lookAt(sql).faults.length

  it.each([
    ['select * from records where dataset_no = $1', 0],
    ['select * from records where seq = $1', 1],
    ['select * from records r join responses a on a.dataset_no = r.dataset_no and a.seq = r.seq where r.dataset_no = $1', 0],
    ['select * from records r join responses a on a.seq = r.seq where r.dataset_no = $1', 1],
    ['select 1 where exists (select 1 from leases where user_id = $1)', 1],
    ['select name from datasets where id = $1', 0],
    ['update records set status = $1 where seq = $2', 1],
    ['delete from leases where dataset_no = $1 and seq = any($2)', 0],
    ['delete from leases where user_id = $1', 1],
    ['insert into leases (seq, user_id) values ($1, $2)', 1],
    ['with old as (select seq from history) select * from old', 1],
  ])('finds what leaves its node in: %s', (sql, faults) => {
    expect(faultsOf(sql)).toBe(faults)
  })

  it.each([
    ['insert into leases (dataset_no, seq) values ($1, $2), ($3, $4)', [1, 3]],
    ['insert into leases (seq, dataset_no) select * from unnest($1::int8[], $2::int8[])', [2]],
    ['insert into leases (dataset_no, seq) select $3, n from unnest($1::int8[]) as t (n)', [3]],
    ['update records set status = $1 where dataset_no = $2', [2]],
    ['select * from records where dataset_no = $1', []],
  ])('knows whose rows are changed by: %s', (sql, changes) => {
    expect(lookAt(sql).changes).toEqual(changes)
  })
})

describe.runIf(process.env.POSTIL_TEST_ENGINE === 'postgres')('the schema', () => {
  let server: TestServer
  let client: pg.Client
  beforeAll(async () => {
    server = await bootServer()
    client = new pg.Client({ connectionString: server.app.ctx.config.databaseUrl as string })
    await client.connect()
  })
  afterAll(async () => {
    await client.end()
    await server.close()
  })

  it('has the dataset in every unique key of a distributed table', async () => {
    const { rows } = await client.query<{ table: string; name: string; columns: string[] }>(`
      select t.relname::text as table, i.relname::text as name, array(
        select a.attname::text from pg_attribute a where a.attrelid = t.oid and a.attnum = any(x.indkey)) as columns
      from pg_index x join pg_class t on t.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
      where x.indisunique and t.relnamespace = 'public'::regnamespace`)
    const ofLarge = rows.filter(({ table }) => distributed.has(table))
    expect(ofLarge.length).toBeGreaterThanOrEqual(distributed.size)
    expect(ofLarge.filter(({ columns }) => !columns.includes('dataset_no'))).toEqual([])
  })
})
