import { CompiledQuery } from 'kysely'
import type { Sql } from '../db.ts'
import { APPROXIMATE_FROM, isFew, type NearestQuery, seqsOfBits, type VectorIndex } from '../vectors/vector-index.ts'
import { toUnit } from '../vectors/vector-values.ts'

/** What pgvector compares, as text. */
export const encodeVector = (values: ArrayLike<number>): string => `[${new Float32Array(toUnit(values)).join(',')}]`

/** What pgvector can index. */
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
  // NOTE: the planner takes `<> 0` for nearly always true, and so keeps to the index where there is one
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

/** What the index looks at for one answer, the most that it can: less leaves out more of what is nearest. */
const LOOKED_AT = 1000
/** Where more than a part of that are asked for, twice as many are fetched: the last ones of an answer are the least complete. */
const SURE = 400
const fetchedFor = ({ limit, among }: NearestQuery): number => (among === null && limit > SURE ? 2 * limit : limit)
/** Memory for what is looked at beyond one answer, as a multiple of the database's `work_mem`. */
const SCAN_MEMORY = 4

const SCAN_SETTINGS = `select set_config('hnsw.ef_search', '${LOOKED_AT}', true), set_config('hnsw.iterative_scan', 'relaxed_order', true),
  set_config('hnsw.scan_mem_multiplier', '${SCAN_MEMORY}', true)`

/** Numbers stand in the text where the planner must see them to use the index of this setting. */
const approximate = async (sql: Sql, query: NearestQuery): Promise<readonly Found[]> => {
  const { text, parameters } = restriction(query, 4)
  const { length } = query.value
  // NOTE: local to the snapshot of this read
  await run(sql, SCAN_SETTINGS)
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
/** From so many of the sample on a heap was passed by: of a thousand found in a large setting a good graph leaves out some ten, of which a sample has hardly one. */
const PASSED_BY = 3

/** About a thousand of the numbers that may be found, drawn anew for each search and spread over all of them. */
const sampleOf = ({ among }: NearestQuery, last: number): number[] => {
  const step = (last + 1) / SAMPLE
  const drawn = Array.from({ length: SAMPLE }, (_, i) => Math.floor((i + Math.random()) * step))
  const mayBeFound = (seq: number): boolean => among === null || ((among.bits[seq >> 3] ?? 0) & (1 << (seq & 7))) !== 0
  return [...new Set(drawn)].filter(mayBeFound)
}

/**
 * Whether the index has led past what is nearest. A graph of vectors that lie in heaps may have no way into one of them, and then gives what is
 * nearest in the others; a sample of all vectors has some of any heap that is more than a few thousandths of them.
 */
const isOverlooking = async (sql: Sql, query: NearestQuery, found: readonly Found[]): Promise<boolean> => {
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
  return nearer.filter(({ seq }) => !known.has(seq)).length >= PASSED_BY
}

/**
 * Runs `work` on a connection of its own, outside the pool and past a pooler, whose settings end with it.
 */
export type Alone = (work: (sql: Sql) => Promise<void>) => Promise<void>

/** Holds the graph of a million vectors of 64 dimensions: what does not fit is added many times as slowly. No more is taken than the graph needs. */
const BUILD_MEMORY = '1GB'
/** One worker, so that people keep the other processors; what the database's own settings give, where that is more. */
const BUILD_SETTINGS = [
  'set max_parallel_maintenance_workers = 0',
  `select set_config('maintenance_work_mem', '${BUILD_MEMORY}', false)
    where pg_size_bytes(current_setting('maintenance_work_mem')) < pg_size_bytes('${BUILD_MEMORY}')`,
]

/** It waits for everybody's snapshots, which now and then has it and the server's own housekeeping wait for each other; one of them is ended. */
const BUILD_TRIES = 3
const DEADLOCK = '40P01'

const dropWhole = async (own: Sql, name: string): Promise<void> => {
  await run(own, `drop index concurrently if exists ${name}`)
}

/** Similarity by pgvector: an exact scan, and an HNSW index per setting once it is large, which a sample is held against. */
export const vectorIndexWith = (alone: Alone): VectorIndex => ({
  encode: encodeVector,
  nearest: async (sql, query) => {
    const candidates = query.among?.count ?? query.stored
    const large = candidates >= APPROXIMATE_FROM && query.value.length <= MAX_INDEXED_DIMENSIONS
    if (!large || (await indexState(sql, indexName(query.datasetNo, query.settingNo))) !== 'good') return exact(sql, query)
    const found = await approximate(sql, query)
    return (await isOverlooking(sql, query, found)) ? exact(sql, query) : found.map(({ seq }) => seq)
  },
  buildIndex: async (sql, { datasetNo, settingNo, dimensions }) => {
    const name = indexName(datasetNo, settingNo)
    if (dimensions > MAX_INDEXED_DIMENSIONS) return
    const state = await indexState(sql, name)
    if (state === 'good') return
    await alone(async (own) => {
      for (const setting of BUILD_SETTINGS) await run(own, setting)
      if (state === 'broken') await dropWhole(own, name)
      const create = `create index concurrently if not exists ${name} on vectors using hnsw ((embedding::vector(${dimensions})) vector_cosine_ops)
          with (m = 16, ef_construction = 128)
          where dataset_no = ${datasetNo} and setting_no = ${settingNo}`
      for (let left = BUILD_TRIES - 1; ; left--) {
        try {
          await run(own, create)
          return
        } catch (error) {
          if (left === 0 || (error as { code?: string }).code !== DEADLOCK) throw error
          await dropWhole(own, name)
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
    await alone(async (own) => {
      // NOTE: who makes one of them keeps all of the table's indexes to itself until it is done, for many minutes
      await run(
        own,
        'select pg_cancel_backend(pid) from pg_stat_progress_create_index where index_relid::int8 = any($1::int8[])',
        [found.map(({ oid }) => oid)],
      )
      for (const { name } of found) await dropWhole(own, name)
    })
  },
})
