import { type SelectQueryBuilder, sql } from 'kysely'
import { BATCH_BYTES } from '#platform/db/batches.ts'
import type { Db } from '#platform/db/db.ts'
import type { Tables } from '#platform/db/tables.ts'

/** Some records of a dataset. */
export type Place = {
  readonly dataset_no: number
  readonly seqs: readonly number[]
  /** True to avoid reading the rows of records in between, which may be large. */
  readonly exact?: boolean
  /** If set, no rows are returned when these parts of the records are larger than one batch. */
  readonly inOneBatch?: SizedParts
}
type WithSeq = 'records' | 'responses' | 'suggestions' | 'vectors' | 'agreement_numbers' | 'gold' | 'comments'

/** Selects the rows of some records. Records that are close together are queried as a range, unless `exact` is true. */
export const rowsAt = <T extends WithSeq>(
  db: Db,
  table: T,
  { dataset_no, seqs, exact = false, inOneBatch }: Place,
): SelectQueryBuilder<Tables, T, object> => {
  const query = db.sql.selectFrom(table as 'records').where('dataset_no', '=', dataset_no)
  const first = Math.min(...seqs)
  const last = Math.max(...seqs)
  const isDense = last - first < (exact ? 1 : 2) * seqs.length
  const chosen = isDense
    ? query.where('seq', '>=', first).where('seq', '<=', last)
    : query.where('seq', 'in', db.dialect.listed(seqs))
  const bounded =
    inOneBatch === undefined ? chosen : chosen.where(selectTotal(db, { dataset_no, seqs, exact }, inOneBatch), '<=', BATCH_BYTES)
  return bounded as unknown as SelectQueryBuilder<Tables, T, object>
}

/** The parts of records that are included in their size. */
export type SizedParts = {
  readonly suggestions: boolean
  readonly vectors: boolean
  readonly gold: boolean
  readonly comments: boolean
  /** `all`, `none`, or the ID of the only user whose answers are included. */
  readonly responses: string
}

/** A number takes 8 bytes when stored and about 20 bytes as text. */
const PRINTED_NUMBERS = sql<number>`octet_length(raw) * 3`

/** Selects sizes in bytes. The database knows the length of a large value without reading it. */
const selectSizes = (db: Db, place: Place, { responses, suggestions, vectors, gold, comments }: SizedParts) => {
  const sized = (table: WithSeq, bytes: ReturnType<typeof sql<number>>) =>
    rowsAt(db, table as 'records', place).select(['seq', bytes.as('bytes')])
  let all = sized('records', sql<number>`octet_length(fields) + coalesce(octet_length(metadata), 0)`)
  if (suggestions) all = all.unionAll(sized('suggestions', sql<number>`octet_length(value)`))
  if (vectors) all = all.unionAll(sized('vectors', PRINTED_NUMBERS))
  if (gold) all = all.unionAll(sized('gold', sql<number>`octet_length("values")`))
  if (comments) all = all.unionAll(sized('comments', sql<number>`octet_length(text)`))
  if (responses === 'none') return all
  const answers = rowsAt(db, 'responses', place).select(['seq', sql<number>`octet_length("values")`.as('bytes')])
  return all.unionAll(responses === 'all' ? answers : answers.where('user_id', '=', responses))
}

const selectTotal = (db: Db, place: Place, parts: SizedParts) =>
  db.sql.selectFrom(selectSizes(db, place, parts).as('sizes')).select((eb) => eb.fn.sum<number>('bytes').as('bytes'))

/** The total size of records in bytes, roughly that of their JSON. May include records between the given ones. */
export const totalBytes = async (db: Db, place: Place, parts: SizedParts): Promise<number> =>
  Number((await selectTotal(db, place, parts).executeTakeFirst())?.bytes ?? 0)

/** The size of each record in bytes, by `seq`. */
export const bytesBySeq = async (db: Db, place: Place, parts: SizedParts): Promise<ReadonlyMap<number, number>> => {
  const rows = await db.sql
    .selectFrom(selectSizes(db, place, parts).as('sizes'))
    .select((eb) => ['seq' as const, eb.fn.sum<number>('bytes').as('bytes')])
    .groupBy('seq')
    .execute()
  return new Map(rows.map(({ seq, bytes }) => [seq, Number(bytes)]))
}

/** The size of each record's fields in bytes, by `seq`. */
export const fieldBytes = (db: Db, dataset_no: number, seqs: readonly number[]): Promise<ReadonlyMap<number, number>> =>
  bytesBySeq(
    db,
    { dataset_no, seqs, exact: true },
    { suggestions: false, vectors: false, gold: false, comments: false, responses: 'none' },
  )
