import { type Compilable, type SelectQueryBuilder, sql } from 'kysely'
import { BATCH_BYTES } from '#platform/db/batches.ts'
import type { Db } from '#platform/db/db.ts'
import { preparedForShapes } from '#platform/db/statements/prepared.ts'
import type { Tables } from '#platform/db/tables.ts'

/** Some records of a dataset. */
export type Place = {
  readonly dataset_no: number
  readonly seqs: readonly number[]
  /**
   * If omitted or false, records that are close together are read as one range, including the rows between them. If true, only
   * the requested rows are read, because the rows between them may be large.
   */
  readonly exact?: boolean
  /** If set, and if these parts of the records are together larger than one batch, no rows are returned. */
  readonly inOneBatch?: SizedParts
}
type WithSeq = 'records' | 'responses' | 'suggestions' | 'vectors' | 'agreement_numbers' | 'gold' | 'comments'

/** The parts of records that are included in their size. */
export type SizedParts = {
  readonly suggestions: boolean
  readonly vectors: boolean
  readonly gold: boolean
  readonly comments: boolean
  /** `all`, `none`, or the ID of the only user whose answers are included. */
  readonly responses: string
}

type SizedShape = Omit<SizedParts, 'responses'> & { readonly responses: 'all' | 'none' | 'own' }

/** The properties that determine the SQL of a statement about records. Statements are compiled once for each shape. */
type Shape = {
  /** Whether the records are queried as a range, because they are close together. */
  readonly isRange: boolean
  readonly inOneBatch: SizedShape | null
}

/** The values in a statement about records. */
type Values = {
  readonly dataset_no: number
  readonly first: number
  readonly last: number
  /** All `seq`s, as a parameter for `listedBy`. */
  readonly listed: unknown
  /** The only user whose answers are included in the size. */
  readonly sizedUser: string
}

const shapeOfSize = ({ suggestions, vectors, gold, comments, responses }: SizedParts): SizedShape => ({
  suggestions,
  vectors,
  gold,
  comments,
  responses: responses === 'all' || responses === 'none' ? responses : 'own',
})

const shapeOf = ({ seqs, exact = false, inOneBatch }: Place): Shape => ({
  isRange: Math.max(...seqs) - Math.min(...seqs) < (exact ? 1 : 2) * seqs.length,
  inOneBatch: inOneBatch === undefined ? null : shapeOfSize(inOneBatch),
})

const valuesOf = (db: Db, { dataset_no, seqs }: Place, sizedUser: string): Values => ({
  dataset_no,
  first: Math.min(...seqs),
  last: Math.max(...seqs),
  listed: db.dialect.listValue(seqs),
  sizedUser,
})

/** Selects the rows of some records, whatever their size. */
const rowsIn = <T extends WithSeq>(
  db: Db,
  table: T,
  { isRange }: Pick<Shape, 'isRange'>,
  { dataset_no, first, last, listed }: Values,
) => {
  const query = db.sql.selectFrom(table as 'records').where('dataset_no', '=', dataset_no)
  return isRange
    ? query.where('seq', '>=', first).where('seq', '<=', last)
    : query.where('seq', 'in', db.dialect.listedBy(listed))
}

/** A number takes 8 bytes when stored and about 20 bytes as text. */
const PRINTED_NUMBERS = sql<number>`octet_length(raw) * 3`

type Sized = { readonly shape: Pick<Shape, 'isRange'>; readonly parts: SizedShape; readonly values: Values }

/** Selects sizes in bytes. The database knows the length of a large value without reading it. */
const selectSizes = (db: Db, { shape, parts, values }: Sized) => {
  const sized = (table: WithSeq, bytes: ReturnType<typeof sql<number>>) =>
    rowsIn(db, table, shape, values).select(['seq', bytes.as('bytes')])
  let all = sized('records', sql<number>`octet_length(fields) + coalesce(octet_length(metadata), 0)`)
  if (parts.suggestions) all = all.unionAll(sized('suggestions', sql<number>`octet_length(value)`))
  if (parts.vectors) all = all.unionAll(sized('vectors', PRINTED_NUMBERS))
  if (parts.gold) all = all.unionAll(sized('gold', sql<number>`octet_length("values")`))
  if (parts.comments) all = all.unionAll(sized('comments', sql<number>`octet_length(text)`))
  if (parts.responses === 'none') return all
  const answers = sized('responses', sql<number>`octet_length("values")`)
  return all.unionAll(parts.responses === 'all' ? answers : answers.where(sql<string>`user_id`, '=', values.sizedUser))
}

const selectTotal = (db: Db, sized: Sized) =>
  db.sql.selectFrom(selectSizes(db, sized).as('sizes')).select((eb) => eb.fn.sum<number>('bytes').as('bytes'))

/**
 * Creates a function that reads the rows of some records from a table. Records that are close together are queried as a range,
 * unless `exact` is true.
 * @param build completes the statement, and can use additional values that the caller passes
 */
export const rowsReader = <T extends WithSeq, R, V extends object = object>(
  table: T,
  build: (query: SelectQueryBuilder<Tables, T, object>, values: V, dialect: Db['dialect']) => Compilable<R>,
): ((db: Db, place: Place, values: V) => Promise<readonly R[]>) => {
  const read = preparedForShapes((db, shape: Shape, values: Values & V) => {
    const chosen = rowsIn(db, table, shape, values)
    const { inOneBatch: parts } = shape
    const bounded = parts === null ? chosen : chosen.where(selectTotal(db, { shape, parts, values }), '<=', BATCH_BYTES)
    return build(bounded as unknown as SelectQueryBuilder<Tables, T, object>, values, db.dialect)
  })
  return (db, place, values) =>
    read(db, shapeOf(place), { ...valuesOf(db, place, place.inOneBatch?.responses ?? 'none'), ...values })
}

type SizeShape = Pick<Shape, 'isRange'> & { readonly parts: SizedShape }

const readTotal = preparedForShapes((db, { parts, ...shape }: SizeShape, values: Values) =>
  selectTotal(db, { shape, parts, values }),
)

const readSizes = preparedForShapes((db, { parts, ...shape }: SizeShape, values: Values) =>
  db.sql
    .selectFrom(selectSizes(db, { shape, parts, values }).as('sizes'))
    .select((eb) => ['seq' as const, eb.fn.sum<number>('bytes').as('bytes')])
    .groupBy('seq'),
)

const sizeShape = (place: Place, parts: SizedParts): SizeShape => ({ isRange: shapeOf(place).isRange, parts: shapeOfSize(parts) })

/** The total size of records in bytes, roughly the size of their JSON. May include records between the given ones. */
export const totalBytes = async (db: Db, place: Place, parts: SizedParts): Promise<number> => {
  const [total] = await readTotal(db, sizeShape(place, parts), valuesOf(db, place, parts.responses))
  return Number(total?.bytes ?? 0)
}

/** The size of each record in bytes, by `seq`. */
export const bytesBySeq = async (db: Db, place: Place, parts: SizedParts): Promise<ReadonlyMap<number, number>> => {
  const rows = await readSizes(db, sizeShape(place, parts), valuesOf(db, place, parts.responses))
  return new Map(rows.map(({ seq, bytes }) => [seq, Number(bytes)]))
}

/** The size of each record's fields in bytes, by `seq`. */
export const fieldBytes = (db: Db, dataset_no: number, seqs: readonly number[]): Promise<ReadonlyMap<number, number>> =>
  bytesBySeq(
    db,
    { dataset_no, seqs, exact: true },
    { suggestions: false, vectors: false, gold: false, comments: false, responses: 'none' },
  )
