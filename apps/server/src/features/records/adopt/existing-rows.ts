import type { Db } from '#platform/db/db.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'
import { viewVector } from '#platform/db/vectors/vector-values.ts'
import type { Micros } from '#platform/time.ts'

/** The stored answers, suggestions and vectors of records, to compare with another server's versions. */
export type ExistingRows = {
  /** When the suggestion for a question last changed; `NO_TIME` if there is none. */
  readonly suggestionAt: (seq: number, questionNo: number) => Micros
  /**
   * Returns when a user's answer to a record last changed. If there is no answer, returns when the answer with the given ID was
   * deleted. If it was never deleted, returns `NO_TIME`.
   */
  readonly responseAt: (seq: number, userId: string, responseId: string) => Micros
  /** Whether an answer with this ID was ever deleted here. A deleted answer keeps its ID, which can't be reused. */
  readonly wasDeleted: (responseId: string) => boolean
  readonly hasVector: (seq: number, settingNo: number, numbers: Float64Array) => boolean
}

const NO_TIME = Number.NEGATIVE_INFINITY
const IDS_PER_BATCH = 500

const rowsOf = async (db: Db, datasetNo: number, seqs: readonly number[]) => {
  const own = db.dialect.listed(seqs)
  const { sql } = db
  const [answers, suggestions, vectors] = await pipeline([
    sql
      .selectFrom('responses')
      .select(['seq', 'user_id', 'updated_at'])
      .where('dataset_no', '=', datasetNo)
      .where('seq', 'in', own)
      .execute(),
    sql
      .selectFrom('suggestions')
      .select(['seq', 'question_no', 'updated_at'])
      .where('dataset_no', '=', datasetNo)
      .where('seq', 'in', own)
      .execute(),
    sql
      .selectFrom('vectors')
      .select(['seq', 'setting_no', 'raw'])
      .where('dataset_no', '=', datasetNo)
      .where('seq', 'in', own)
      .execute(),
  ])
  return { answers, suggestions, vectors }
}

const tombstonesOf = async (db: Db, datasetNo: number, ids: readonly string[]): Promise<ReadonlyMap<string, Micros>> => {
  const tombstones = new Map<string, Micros>()
  for (let from = 0; from < ids.length; from += IDS_PER_BATCH) {
    const rows = await db.sql
      .selectFrom('response_tombstones')
      .select(['id', 'deleted_at'])
      .where('dataset_no', '=', datasetNo)
      .where('id', 'in', ids.slice(from, from + IDS_PER_BATCH))
      .execute()
    for (const { id, deleted_at } of rows) tombstones.set(id, deleted_at)
  }
  return tombstones
}

const sameNumbers = (a: Float64Array, b: Float64Array): boolean =>
  a.length === b.length && a.every((number, i) => Object.is(number, b[i]))

/**
 * Loads the answers, suggestions and vectors of records that the caller has locked.
 * @param responseIds IDs of the incoming answers
 */
export const loadExisting = async (
  db: Db,
  datasetNo: number,
  { seqs, responseIds }: { readonly seqs: readonly number[]; readonly responseIds: readonly string[] },
): Promise<ExistingRows> => {
  const answers = new Map<string, Micros>()
  const tombstones = await tombstonesOf(db, datasetNo, responseIds)
  const suggestions = new Map<string, Micros>()
  const vectors = new Map<string, Float64Array>()
  for (let from = 0; from < seqs.length; from += IDS_PER_BATCH) {
    const rows = await rowsOf(db, datasetNo, seqs.slice(from, from + IDS_PER_BATCH))
    for (const { seq, user_id, updated_at } of rows.answers) answers.set(`${seq} ${user_id}`, updated_at)
    for (const { seq, question_no, updated_at } of rows.suggestions) suggestions.set(`${seq} ${question_no}`, updated_at)
    for (const { seq, setting_no, raw } of rows.vectors) vectors.set(`${seq} ${setting_no}`, viewVector(raw))
  }
  return {
    suggestionAt: (seq, no) => suggestions.get(`${seq} ${no}`) ?? NO_TIME,
    responseAt: (seq, userId, id) => answers.get(`${seq} ${userId}`) ?? tombstones.get(id) ?? NO_TIME,
    wasDeleted: (id) => tombstones.has(id),
    hasVector: (seq, no, numbers) => sameNumbers(vectors.get(`${seq} ${no}`) ?? new Float64Array(), numbers),
  }
}
