import { business, unprocessable } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import { cosine, toUnit, unpackVector } from '#platform/db/vectors/vector-values.ts'
import type { Search } from '../conditions/compile.ts'
import { allOf, conditionsOf } from '../conditions/conditions.ts'
import { CacheMiss } from '../search-cache.ts'
import { recordCount, type SearchContext } from '../search-context.ts'
import { intersect, type Signed } from '../seq-set.ts'
import { readUnits } from './read-vectors.ts'
import type { Page } from './select-page.ts'
import type { Hit } from './user-order.ts'

/** Maximum number of similar records across all pages. */
const MAX_SIMILAR = 1000
/**
 * Number of additional records to fetch. Engines compare vectors in single precision, so the fetched records are compared again
 * in the original precision.
 */
const MARGIN = 32

type SimilarArgs = NonNullable<Search['vector']>
type Reference = { readonly value: readonly number[]; readonly seq: number | null }

const ofRecord = async ({ db, datasetNo }: SearchContext, { setting, query }: SimilarArgs, id: string): Promise<Reference> => {
  const record = await db.sql
    .selectFrom('records')
    .select('seq')
    .where('dataset_no', '=', datasetNo)
    .where('id', '=', id)
    .executeTakeFirst()
  if (record === undefined) throw unprocessable(`Record with id \`${id}\` not found in the dataset`)
  const vector = await db.sql
    .selectFrom('vectors')
    .select('raw')
    .where('dataset_no', '=', datasetNo)
    .where('setting_no', '=', setting.no)
    .where('seq', '=', record.seq)
    .executeTakeFirst()
  if (vector === undefined) throw business('missing_vector', `Record \`${id}\` has no vector named \`${query.name}\``)
  return { value: unpackVector(vector.raw), seq: record.seq }
}

/** Returns the vector to compare with. @throws Problem */
const referenceOf = async (context: SearchContext, requestedRecord: SimilarArgs): Promise<Reference> => {
  const { record_id, value } = requestedRecord.query
  if (record_id !== null && record_id !== undefined) return ofRecord(context, requestedRecord, record_id)
  const sent = value ?? []
  const { dimensions, name } = requestedRecord.setting
  if (sent.length !== dimensions) throw unprocessable(message('noVectorSize', { name, expected: dimensions, found: sent.length }))
  if (sent.every((number) => number === 0)) throw unprocessable(message('noDirection'))
  return { value: sent, seq: null }
}

export type Similar = {
  readonly hits: readonly Hit[]
  readonly total: number
  /**
   * Identifies the vector setting, so that its index can be built if `count` is large enough and the engine supports vector
   * indexes.
   */
  readonly large: { readonly datasetNo: number; readonly settingNo: number; readonly dimensions: number; readonly count: number }
}

const rescored = async (context: SearchContext, setting: number, seqs: readonly number[], unit: Float64Array): Promise<Hit[]> => {
  const units = await readUnits(context, setting, seqs)
  const scored = [...units].map(([seq, one]) => ({ seq, score: (1 + cosine(one, unit)) / 2 }))
  return scored.sort((a, b) => b.score - a.score || a.seq - b.seq)
}

/**
 * Returns the records that are most or least similar to a vector. The least similar records are those most similar to the
 * opposite vector. Conditions restrict the candidates. Finds at most 1,000 records. Leaves out the records that come before the
 * requested page.
 * @throws Problem
 */
export const similarTo = async (
  context: SearchContext,
  search: Search,
  requestedRecord: SimilarArgs,
  { offset, limit }: Page,
): Promise<Similar | CacheMiss> => {
  const { db, datasetNo, size } = context
  const { setting, query } = requestedRecord
  const reference = await referenceOf(context, requestedRecord)
  const found = await conditionsOf(context, [{ kind: 'vectors', setting: setting.no }, ...search.atoms])
  if (found instanceof CacheMiss) return found
  const { content, volatile } = found
  const stored = content[0]?.set.count() ?? 0
  const conditions: Signed[] = [...content, ...volatile]
  const set = await intersect(conditions, () => allOf(context), size)
  if (set instanceof CacheMiss) return set
  if (reference.seq !== null) set.remove(reference.seq)
  const count = set.count()
  const large = { datasetNo, settingNo: setting.no, dimensions: setting.dimensions, count: stored }
  const k = Math.min(offset + limit, MAX_SIMILAR)
  if (offset >= k || count === 0) return { hits: [], total: offset >= k ? 0 : count, large }
  // An exact scan reads the vectors themselves.
  const costly = context.cache.missOfCost((Math.min(count, recordCount(context)) * setting.dimensions) / 512)
  if (costly !== null) return costly
  const opposite = query.order === 'least_similar'
  const value = opposite ? reference.value.map((number) => -number) : reference.value
  const candidates = search.atoms.length === 0 ? null : { bits: set.bits, count }
  const seqs = await db.dialect.vectors.nearest(db.sql, {
    datasetNo,
    settingNo: setting.no,
    value,
    limit: k + MARGIN,
    among: candidates,
    stored,
  })
  const others = seqs.filter((seq) => seq !== reference.seq)
  const hits = await rescored(context, setting.no, others, toUnit(value))
  return { hits: hits.slice(offset, k), total: Math.min(count, MAX_SIMILAR), large }
}
