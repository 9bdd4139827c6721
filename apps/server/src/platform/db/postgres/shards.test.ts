import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestServer } from '@postil/testkit/boot.ts'
import { bootServer } from '@postil/testkit/boot.ts'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { distributedTables, managedTables, referenceTables } from './cluster-tables.ts'
import { isAllShardsQuery, queriesAllShards } from './testing/all-shards.ts'
import { clusterFaults } from './testing/cluster.ts'
import { analyzeShards } from './testing/shards.ts'

const setUp = readFileSync(join(import.meta.dirname, '../../../../../../deploy/citus.sql'), 'utf8')
/** The names in an array in the setup script, such as `distributed text[] := array['records', 'responses']`. */
const namesIn = (variable: string): readonly string[] => {
  const list = new RegExp(`${variable} text\\[\\] := array\\[([^\\]]*)\\]`).exec(setUp)?.[1] ?? ''
  return [...list.matchAll(/'(\w+)'/g)].map(([, name]) => String(name))
}

describe('deploy/citus.sql', () => {
  it('distributes every table that grows with records', () => {
    expect([...namesIn('distributed')].sort()).toEqual([...distributedTables].sort())
  })

  it('lets Citus know the tables that commit together with a dataset', () => {
    expect([...namesIn('managed')].sort()).toEqual([...managedTables].sort())
  })

  it('copies the tables that are read together with those to every node', () => {
    expect([...namesIn('reference')].sort()).toEqual([...referenceTables].sort())
  })
})

describe('cluster faults', () => {
  it.each([
    ['select id from datasets where no = $1 for key share', 1],
    ['select datasets.id from datasets, users where datasets.no = $1 and users.id = $2 for update', 2],
    ['select * from records, users where records.dataset_no = $1 for update', 1],
    ['select * from records, users where records.dataset_no = $1 for update of records', 0],
    ['select * from records, users as people where records.dataset_no = $1 for share of people', 1],
    ['select * from (select * from users for update) as held', 1],
    ['with held as (select id from users for update) delete from memberships where user_id in (select id from held)', 1],
    ['select id from workspaces where id = $1 for update', 0],
    ['select seq from records where dataset_no = $1 and seq in (select seq from responses where dataset_no = $1) for update', 0],
    ['select * from records join jobs using (dataset_no) where dataset_no = $1', 1],
    ['select exists (select 1 from webhooks) from records where dataset_no = $1', 1],
    ['select * from records join questions on true where dataset_no = $1', 0],
    ['select * from workspaces join memberships on workspace_id = id join users on users.id = user_id', 0],
    ['insert into leases (dataset_no, seq) select * from unnest($1::int8[], $2::int8[])', 1],
    ['insert into leases (dataset_no, seq) select $1, new.* from unnest($2::int8[]) as new', 1],
    [
      'insert into leases (dataset_no, seq) select dataset_no, new.* from dataset_state, unnest($2::int8[]) as new where dataset_no = $1',
      0,
    ],
    ['insert into leases (dataset_no, seq) values ($1, $2)', 0],
    ['insert into outbox (dataset_no, id, no) select * from unnest($1::int8[], $2::uuid[], $3::int8[])', 1],
    [
      'insert into outbox (dataset_no, id, no) select dataset_no, new.* from dataset_state, unnest($2::uuid[], $3::int8[]) as new where dataset_no = $1',
      0,
    ],
    [
      'insert into outbox (dataset_no, id) select dataset_no, new.* from dataset_state, unnest($2::uuid[]) as new where dataset_no = $1',
      1,
    ],
    ['insert into outbox (dataset_no, id) values ($1, $2)', 0],
    ['select * from outbox join webhooks on webhooks.id = webhook_id where dataset_no = $1', 1],
    ['select pg_advisory_xact_lock(1)', 0],
    ['select pg_advisory_xact_lock_shared(lock) from unnest($1::int8[]) as lock', 0],
    ['select id from datasets where no = $1 and pg_advisory_xact_lock_shared(1) is not null', 1],
  ])('are found in %s', (sql, faults) => {
    expect(clusterFaults(sql)).toHaveLength(faults)
  })
})

describe('statement analysis', () => {
  /** The number of faults: one for each large table without a dataset in the condition. */
  const faultsOf = (sql: string) => analyzeShards(sql).faults.length + analyzeShards(sql).allShards.length

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
    // Comparisons that don't restrict the dataset to one value.
    ['select * from records where dataset_no <> $1', 1],
    ['select * from records where dataset_no > $1', 1],
    ['select * from records where dataset_no is not distinct from $1', 1],
    ['select * from records where dataset_no = dataset_no', 1],
    ['select * from records where dataset_no = seq', 1],
    ['select * from records where dataset_no = $1 or seq = $2', 1],
    ['select * from records where not dataset_no = $1', 1],
    ['select * from records where dataset_no <> all($1)', 1],
    ['select * from records where dataset_no not in ($1)', 1],
    ['select * from records where case when $2 then dataset_no = $1 else true end', 1],
    ['select * from records where dataset_no = (select no from datasets where id = $1)', 1],
    ['select * from records where dataset_no in (select no from datasets)', 1],
    ['select count(*) from records having max(dataset_no) = $1', 1],
    ['update records set status = $1 where dataset_no >= $2', 1],
    ['delete from leases where dataset_no = $1 or user_id = $2', 1],
    // A join doesn't help if neither side names a dataset.
    ['select * from records r join responses a on a.dataset_no = r.dataset_no and a.seq = r.seq', 2],
    ['select * from records r join responses a using (dataset_no, seq)', 2],
    ['select * from records r join datasets d on d.no = r.dataset_no where d.id = $1', 1],
    ['select * from records r join responses a on a.dataset_no = r.dataset_no and r.dataset_no = a.dataset_no', 2],
    ['select * from records r, responses a where r.dataset_no = $1 and a.dataset_no >= r.dataset_no', 1],
    // Outer joins, whose conditions don't restrict rows without a match.
    ['select * from records r left join responses a on r.dataset_no = $1 and a.dataset_no = $1', 1],
    ['select * from records r left join responses a on a.seq = r.seq where r.dataset_no = $1', 1],
    ['select * from records r full join responses a on a.dataset_no = r.dataset_no where r.dataset_no = $1', 1],
    // Nested queries.
    ['select no from datasets where exists (select 1 from leases where leases.dataset_no = datasets.no and user_id = $1)', 1],
    ['select no from datasets where no = $1 and exists (select 1 from leases where leases.dataset_no = datasets.no)', 1],
    ['select (select max(seq) from records where dataset_no = d.no) from datasets d where d.id = $1', 1],
    ['select * from records where dataset_no = $1 and seq in (select seq from responses where user_id = $2)', 1],
    ['select seq from records where dataset_no = $1 union select seq from responses where user_id = $2', 1],
    ['select * from (select seq from records where status = $1) as r', 1],
    ['with records as (select 1) select * from records', 0],
    ['update records set seq = v.seq from unnest($1::int8[], $2::int8[]) as v (no, seq) where records.dataset_no = v.no', 1],
    ['insert into leases (dataset_no, seq) select dataset_no, seq from records where status = $1', 2],
    // Statements that name a dataset.
    ['select * from records where $1 = dataset_no and (seq = $2 or seq = $3)', 0],
    ['select * from records where dataset_no = 7', 0],
    ['select * from records where dataset_no = cast($1 as int8)', 0],
    ['select * from records where dataset_no = any($1::int8[])', 0],
    ['select * from records where dataset_no in ($1)', 0],
    ['select * from records r join responses a using (dataset_no, seq) where a.dataset_no = $1', 0],
    [
      'select * from records r, responses a, history h where h.dataset_no = a.dataset_no and a.dataset_no = r.dataset_no and r.dataset_no = $1',
      0,
    ],
    ['select * from records r left join responses a on a.dataset_no = r.dataset_no and a.seq = r.seq where r.dataset_no = $1', 0],
    ['select * from records r right join responses a on a.dataset_no = r.dataset_no where a.dataset_no = $1', 0],
    ['select * from records r join datasets d on d.no = r.dataset_no where d.no = $1', 0],
    [
      'select each.value, (select seq from records where dataset_no = $1 and id = each.value) from unnest($2::uuid[]) as each (value)',
      0,
    ],
    ['select seq from records where dataset_no = $1 union all select seq from responses where dataset_no = $1', 0],
    ['with old as (select seq from history where dataset_no = $1) select * from old', 0],
    ['update records set seq = v.seq from unnest($1::int8[]) as v (seq) where records.dataset_no = $2', 0],
    ['insert into leases (dataset_no, seq) select dataset_no, seq from records where dataset_no = $1', 0],
  ])('finds statements that leave their node: %s', (sql, faults) => {
    expect(faultsOf(sql)).toBe(faults)
  })

  it.each([
    ['select dataset_no, count(*) from leases group by dataset_no', true],
    ['select r.seq from records r join responses a using (dataset_no, seq)', true],
    ['select d.id from records r join datasets d on d.no = r.dataset_no where r.id = $1', true],
    ['select no from datasets where no in (select dataset_no from leases where user_id = $1)', true],
    ['select * from dataset_state s where exists (select 1 from leases l where l.dataset_no = s.dataset_no)', true],
    ['select r.seq from records r join responses a on a.seq = r.seq', false],
    ['select no from datasets where exists (select 1 from leases where leases.dataset_no = datasets.no)', false],
    ['select * from records where status = $1 for update', false],
    ['select * from dataset_state s where exists (select 1 from leases l where l.dataset_no > s.dataset_no)', false],
    ['delete from leases where user_id = $1', false],
    ['update leases set until = $1', false],
  ])('detects whether a cluster could query all its nodes: %s', (sql, couldAsk) => {
    const { faults, allShards } = analyzeShards(sql)
    expect(faults.length === 0 && allShards.length > 0).toBe(couldAsk)
  })

  it.each([
    ['select * from records r join responses a using (dataset_no) where r.dataset_no = $1 and a.dataset_no = $2', [1, 2], []],
    ['select (select 1 from leases where dataset_no = $2) from records where dataset_no = $1', [1, 2], []],
    ['select * from records where dataset_no in ($1, $2, 7)', [1, 2], ['7']],
    ['select * from records where dataset_no = any($1)', [1], []],
  ])('detects the affected datasets: %s', (sql, parameters, constants) => {
    expect(analyzeShards(sql).datasets).toEqual({ parameters, constants })
  })

  it.each([
    ['insert into leases (dataset_no, seq) values ($1, $2), ($3, $4)', [1, 3]],
    ['insert into leases (seq, dataset_no) select * from unnest($1::int8[], $2::int8[])', [2]],
    ['insert into leases (dataset_no, seq) select $3, n from unnest($1::int8[]) as t (n)', [3]],
    ['update records set status = $1 where dataset_no = $2', [2]],
    ['select * from records where dataset_no = $1', []],
  ])('detects whose rows are changed: %s', (sql, changes) => {
    expect(analyzeShards(sql).changes).toEqual(changes)
  })
})

describe('a query to all nodes', () => {
  it.each(queriesAllShards.flatMap(({ sql }) => sql))(
    'can be answered by a cluster, and concerns several datasets: %s',
    (sql) => {
      const { faults, allShards, datasets } = analyzeShards(sql.replaceAll('in (?)', 'in ($1, $2)').replaceAll('?', '$3'))
      expect(faults).toEqual([])
      expect(allShards.length > 0 || datasets.parameters.length > 1).toBe(true)
    },
  )

  it('is recognized for any number of listed datasets, and nothing else is', () => {
    const listed =
      'select "dataset_no", "kind", sum("n") as "n" from "dataset_counts" where "dataset_no" in ($1, $2, $3) group by'
    expect(isAllShardsQuery(`${listed} "dataset_no", "kind"`)).toBe(true)
    expect(isAllShardsQuery(`${listed} "dataset_no"`)).toBe(false)
  })
})

describe.runIf(process.env.POSTIL_TEST_ENGINE === 'postgres')('the database schema', () => {
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

  it('includes the dataset in every unique key of a distributed table', async () => {
    const { rows } = await client.query<{ table: string; name: string; columns: string[] }>(`
      select t.relname::text as table, i.relname::text as name, array(
        select a.attname::text from pg_attribute a where a.attrelid = t.oid and a.attnum = any(x.indkey)) as columns
      from pg_index x join pg_class t on t.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
      where x.indisunique and t.relnamespace = 'public'::regnamespace`)
    const ofLarge = rows.filter(({ table }) => distributedTables.has(table))
    expect(ofLarge.length).toBeGreaterThanOrEqual(distributedTables.size)
    expect(ofLarge.filter(({ columns }) => !columns.includes('dataset_no'))).toEqual([])
  })
})
