import { CompiledQuery } from 'kysely'
import type { Sql } from '../db.ts'
import { pipeline } from '../statements/pipeline.ts'
import { APPROXIMATE_FROM, isFew, type NearestQuery, seqsOfBits, type VectorIndex } from '../vectors/vector-index.ts'
import { toUnit } from '../vectors/vector-values.ts'

/** Encodes a vector in pgvector's text format. */
export const encodeVector = (values: ArrayLike<number>): string => `[${new Float32Array(toUnit(values)).join(',')}]`

/** The maximum number of dimensions that pgvector can index. */
const MAX_INDEXED_DIMENSIONS = 2000
const indexName = (datasetNo: number, settingNo: number | '%'): string => `vectors_hnsw_${datasetNo}_${settingNo}`

const run = async <R>(sql: Sql, text: string, parameters: readonly unknown[] = []): Promise<readonly R[]> =>
  (await sql.executeQuery<R>(CompiledQuery.raw(text, [...parameters]))).rows

const indexState = async (sql: Sql, name: string): Promise<'none' | 'broken' | 'good'> => {
  const [row] = await run<{ valid: boolean }>(
    sql,
    'select i.indisvalid as valid from pg_index i where i.indexrelid = to_regclass($1)',
    [name],
  )
  if (row === undefined) return 'none'
  return row.valid ? 'good' : 'broken'
}

const restriction = (query: NearestQuery, place: number): { text: string; parameters: unknown[] } => {
  const { among } = query
  if (among === null) return { text: '', parameters: [] }
  if (isFew(query)) return { text: `and seq = any($${place}::int8[])`, parameters: [seqsOfBits(among.bits)] }
  // The planner assumes that `<> 0` is nearly always true. It therefore uses the vector index, if there is one, despite this
  // condition.
  return { text: `and get_bit($${place}::bytea, seq) <> 0`, parameters: [Buffer.from(among.bits)] }
}

const exact = async (sql: Sql, query: NearestQuery): Promise<number[]> => {
  const { text, parameters } = restriction(query, 5)
  const rows = await run<{ seq: number }>(
    sql,
    `select seq from vectors where dataset_no = $1 and setting_no = $2 ${text} order by embedding <=> $3::vector, seq limit $4`,
    [query.datasetNo, query.settingNo, encodeVector(query.value), query.limit, ...parameters],
  )
  return rows.map(({ seq }) => seq)
}

type Found = { readonly seq: number; readonly distance: number }

/**
 * Number of candidates that the index considers for a query: pgvector's maximum. With a lower number, the index would miss more
 * of the nearest vectors.
 */
const CANDIDATES_PER_RESULT = 1000
/**
 * A search of all records for more results than this fetches twice as many rows as requested, because the index is more likely to
 * miss results that are farther away.
 */
const SURE = 400
const fetchedFor = ({ limit, among }: NearestQuery): number => (among === null && limit > SURE ? 2 * limit : limit)
/** Memory for scanning further candidates, as a multiple of the database's `work_mem`. */
const SCAN_MEMORY = 4

/**
 * The settings use `set local` instead of `set_config`, because a cluster passes only `set local` statements on to its nodes. The
 * first setting makes the cluster pass them on.
 */
const SCAN_SETTINGS = [
  `set local citus.propagate_set_commands = 'local'`,
  `set local hnsw.ef_search = ${CANDIDATES_PER_RESULT}`,
  `set local hnsw.iterative_scan = 'relaxed_order'`,
  `set local hnsw.scan_mem_multiplier = ${SCAN_MEMORY}`,
]

/** Searches a vector setting's index. Some numbers are inlined, because the planner must see them to use the index. */
const approximate = async (sql: Sql, query: NearestQuery): Promise<readonly Found[]> => {
  const { text, parameters } = restriction(query, 4)
  const { length } = query.value
  // The settings apply only to the transaction of this read.
  await pipeline(SCAN_SETTINGS.map((setting) => run(sql, setting)))
  return run<Found>(
    sql,
    `with found as materialized (
        select seq, (embedding::vector(${length})) <=> $1::vector(${length}) as distance
        from vectors where dataset_no = ${query.datasetNo} and setting_no = ${query.settingNo} ${text}
        order by (embedding::vector(${length})) <=> $1::vector(${length}) limit $2)
      select seq, distance from found order by distance, seq limit $3`,
    [encodeVector(query.value), fetchedFor(query), query.limit, ...parameters],
  )
}

const SAMPLE = 1000
/**
 * A check of a search's result: a random sample of vectors is compared with the result. If at least this many sampled vectors are
 * nearer than the farthest result but missing in the result, the index missed a cluster. Even a good graph of a large vector
 * setting misses about ten of a thousand results, but a sample rarely contains any of these ten.
 */
const SKIPPED = 3

/** About a thousand candidate record numbers, spread over all candidates and drawn again for each search. */
const sampleOf = ({ among }: NearestQuery, last: number): number[] => {
  const step = (last + 1) / SAMPLE
  const drawn = Array.from({ length: SAMPLE }, (_, i) => Math.floor((i + Math.random()) * step))
  const mayBeFound = (seq: number): boolean => among === null || ((among.bits[seq >> 3] ?? 0) & (1 << (seq & 7))) !== 0
  return [...new Set(drawn)].filter(mayBeFound)
}

/**
 * Whether the index missed nearer vectors. If the vectors form clusters, the graph may have no path into one of the clusters. The
 * search then returns the nearest vectors of other clusters. This function therefore compares the results with a sample. The
 * sample includes any cluster that holds more than a few thousandths of all vectors.
 */
const mayMissResults = async (sql: Sql, query: NearestQuery, found: readonly Found[]): Promise<boolean> => {
  const farthest = found.at(-1)
  if (farthest === undefined || found.length < query.limit) return true
  const setting = [query.datasetNo, query.settingNo]
  const [row] = await run<{ last: number }>(
    sql,
    'select max(seq) as last from vectors where dataset_no = $1 and setting_no = $2',
    setting,
  )
  const nearer = await run<{ seq: number }>(
    sql,
    'select seq from vectors where dataset_no = $1 and setting_no = $2 and seq = any($3::int8[]) and embedding <=> $4::vector < $5',
    [...setting, sampleOf(query, row?.last ?? 0), encodeVector(query.value), farthest.distance],
  )
  const known = new Set(found.map(({ seq }) => seq))
  return nearer.filter(({ seq }) => !known.has(seq)).length >= SKIPPED
}

/**
 * Runs `work` on its own connection, outside the pool and bypassing any pooler. Settings that `work` changes last only as long as
 * this connection.
 */
type RunAlone = (work: (sql: Sql) => Promise<void>) => Promise<void>

/**
 * Memory for building an index. It is enough for a graph of a million 64-dimensional vectors. If the graph doesn't fit, the
 * remaining vectors are added many times more slowly. PostgreSQL allocates only what the graph needs.
 */
const BUILD_MEMORY = '1GB'
/**
 * Settings for an index build. The build uses one worker and leaves the other processors to users. If the database's own memory
 * setting is higher, the build uses that setting.
 */
const BUILD_SETTINGS = [
  'set max_parallel_maintenance_workers = 0',
  `select set_config('maintenance_work_mem', '${BUILD_MEMORY}', false)
    where pg_size_bytes(current_setting('maintenance_work_mem')) < pg_size_bytes('${BUILD_MEMORY}')`,
]

/**
 * Maximum number of attempts to build an index. A build waits for the snapshots of other transactions, so it can deadlock with
 * autovacuum. PostgreSQL ends a deadlock by canceling one of the two.
 */
const BUILD_TRIES = 3
const DEADLOCK = '40P01'

const dropFullIndex = async (own: Sql, name: string): Promise<void> => {
  await run(own, `drop index concurrently if exists ${name}`)
}

/**
 * Similarity search with pgvector. Small searches compare all vectors. Large searches use the HNSW index of the vector setting.
 * The results of the index are checked against a sample of the vectors.
 */
export const vectorIndexWith = (runAlone: RunAlone): VectorIndex => ({
  encode: encodeVector,
  nearest: async (sql, query) => {
    const candidates = query.among?.count ?? query.stored
    const large = candidates >= APPROXIMATE_FROM && query.value.length <= MAX_INDEXED_DIMENSIONS
    if (!large || (await indexState(sql, indexName(query.datasetNo, query.settingNo))) !== 'good') return exact(sql, query)
    const found = await approximate(sql, query)
    return (await mayMissResults(sql, query, found)) ? exact(sql, query) : found.map(({ seq }) => seq)
  },
  buildIndex: async (sql, { datasetNo, settingNo, dimensions }) => {
    const name = indexName(datasetNo, settingNo)
    if (dimensions > MAX_INDEXED_DIMENSIONS) return
    const state = await indexState(sql, name)
    if (state === 'good') return
    await runAlone(async (own) => {
      for (const setting of BUILD_SETTINGS) await run(own, setting)
      if (state === 'broken') await dropFullIndex(own, name)
      const create = `create index concurrently if not exists ${name} on vectors using hnsw ((embedding::vector(${dimensions})) vector_cosine_ops)
          with (m = 16, ef_construction = 128)
          where dataset_no = ${datasetNo} and setting_no = ${settingNo}`
      for (let left = BUILD_TRIES - 1; ; left--) {
        try {
          await run(own, create)
          return
        } catch (error) {
          if (left === 0 || (error as { code?: string }).code !== DEADLOCK) throw error
          await dropFullIndex(own, name)
        }
      }
    })
  },
  buildPart: async () => null,
  dropParts: async () => undefined,
  dropIndex: async (sql, { datasetNo, settingNo }) => {
    const found = await run<{ name: string; oid: number }>(
      sql,
      `select c.relname as name, c.oid::int8 as oid from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = to_regclass('vectors') and c.relname like $1`,
      [indexName(datasetNo, settingNo ?? '%').replaceAll('_', '\\_')],
    )
    if (found.length === 0) return
    await runAlone(async (own) => {
      // Cancels a running index build. Otherwise, it would lock all of the table's indexes until it is done, which can take many
      // minutes.
      await run(
        own,
        'select pg_cancel_backend(pid) from pg_stat_progress_create_index where index_relid::int8 = any($1::int8[])',
        [found.map(({ oid }) => oid)],
      )
      for (const { name } of found) await dropFullIndex(own, name)
    })
  },
})
