import { sql } from 'kysely'
import type { Sql } from '../db.ts'
import type { Cluster, ClusterNode } from '../store.ts'
import { distributedTables, managedTables, referenceTables } from './cluster-tables.ts'

/** Whether Citus is installed in the database. A database with Citus may still keep all tables on one node. */
const hasCitus = async (db: Sql): Promise<boolean> =>
  (await sql`select from pg_extension where extname = 'citus'`.execute(db)).rows.length > 0

type Kind = 'distributed' | 'copied' | 'managed' | 'unknown'

/**
 * How each table is stored, keyed by the table's name. Tables that Citus doesn't know are on the coordinator only. `group`: the
 * table's colocation group.
 */
const kindsOf = async (db: Sql): Promise<ReadonlyMap<string, { readonly kind: Kind; readonly group: number }>> => {
  const { rows } = await sql<{ name: string; kind: Kind; group: number }>`
    select c.relname::text as name, p.colocationid as "group",
      case when p.partmethod = 'h' then 'distributed' when p.repmodel = 't' then 'copied' else 'managed' end as kind
    from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid`.execute(db)
  return new Map(rows.map(({ name, ...stored }) => [name, stored]))
}

const RUN_AGAIN = 'Stop the servers and run deploy/citus.sql again'

/** What is wrong with how the tables are stored. */
const faultsOf = (kinds: Awaited<ReturnType<typeof kindsOf>>): readonly string[] => {
  const groups = new Set([...distributedTables].flatMap((table) => kinds.get(table)?.group ?? []))
  const wrong = (tables: ReadonlySet<string>, kind: Kind, wanted: string) =>
    [...tables].flatMap((table) =>
      (kinds.get(table)?.kind ?? 'unknown') === kind ? [] : [`The table ${table} ${wanted}. ${RUN_AGAIN}`],
    )
  return [
    ...wrong(distributedTables, 'distributed', 'must be distributed by dataset'),
    ...wrong(referenceTables, 'copied', 'must have a copy on every node'),
    ...wrong(managedTables, 'managed', 'must be known to Citus'),
    ...(groups.size > 1 ? ['The rows of a dataset may be on different nodes, because the tables are not colocated'] : []),
  ]
}

type NodeRow = { id: number; host: string; port: number; is_active: boolean; bytes: string | null }

/** Nodes and their sizes. A node that can't be reached has no size. */
const nodesOf = async (db: Sql): Promise<readonly NodeRow[]> => {
  const { rows } = await sql<NodeRow>`
    select n.nodeid as id, n.nodename::text as host, n.nodeport as port, n.isactive as is_active,
      case when s.success then s.result end as bytes
    from pg_dist_node n
    left join run_command_on_all_nodes('select pg_database_size(current_database())', give_warning_for_connection_errors => true) s
      on s.nodeid = n.nodeid
    where n.noderole = 'primary' order by n.groupid`.execute(db)
  return rows
}

const datasetsByNode = async (db: Sql): Promise<ReadonlyMap<string, readonly number[]>> => {
  const { rows } = await sql<{ no: number; node: string }>`
    select d.no, p.nodename || ':' || p.nodeport as node
    from datasets d
    join pg_dist_shard_placement p on p.shardid = get_shard_id_for_distribution_column('dataset_state', d.no)
    where d.gone_at is null order by d.no`.execute(db)
  return new Map(
    [...Map.groupBy(rows, ({ node }) => node)].map(([node, datasets]) => [node, datasets.map(({ no }) => Number(no))]),
  )
}

/** The size of the database on all nodes that can be reached, in bytes; null if it is not on a cluster. */
export const clusterSize = async (db: Sql): Promise<number | null> => {
  if (!(await hasCitus(db))) return null
  return (await nodesOf(db)).reduce((sum, { bytes }) => sum + Number(bytes ?? 0), 0)
}

/** Describes the cluster; null if Citus is not installed, or if it stores no table of Postil. */
export const describeCluster = async (db: Sql): Promise<Cluster | null> => {
  if (!(await hasCitus(db))) return null
  const kinds = await kindsOf(db)
  if (![...distributedTables, ...referenceTables].some((table) => kinds.has(table))) return null
  const { rows } = await sql<{ version: string }>`
    select extversion as version from pg_extension where extname = 'citus'`.execute(db)
  const datasets = kinds.has('dataset_state') ? await datasetsByNode(db) : new Map<string, readonly number[]>()
  const nodes = (await nodesOf(db)).map(
    ({ host, port, bytes }): ClusterNode => ({
      host,
      port,
      bytes: bytes === null ? null : Number(bytes),
      datasets: datasets.get(`${host}:${port}`) ?? [],
    }),
  )
  const unreachable = nodes.flatMap(({ host, port, bytes }) =>
    bytes === null ? [`The node ${host}:${port} can't be reached`] : [],
  )
  return { version: rows[0]?.version ?? '', nodes, faults: [...faultsOf(kinds), ...unreachable] }
}
