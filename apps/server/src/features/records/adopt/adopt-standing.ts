import type { Db } from '#platform/db/db.ts'
import { together } from '#platform/db/statements/together.ts'
import { viewVector } from '#platform/db/vectors/vector-values.ts'
import type { Micros } from '#platform/time.ts'

/** What hangs on records of which another server may have something newer. */
export type Standing = {
  /** When the suggestion for a question was changed last; before all times where there is none. */
  readonly suggestionAt: (seq: number, questionNo: number) => Micros
  /** When a user's answer was changed last, or the one with this id deleted; before all times where there is none. */
  readonly responseAt: (seq: number, userId: string, responseId: string) => Micros
  /** Whether an answer with this id was ever deleted here: its id names what was deleted. */
  readonly isBuried: (responseId: string) => boolean
  readonly hasVector: (seq: number, settingNo: number, numbers: Float64Array) => boolean
}

const NEVER = Number.NEGATIVE_INFINITY
const AT_ONCE = 500

const rowsOf = async (db: Db, datasetNo: number, seqs: readonly number[]) => {
  const own = db.dialect.listed(seqs)
  const { sql } = db
  const [answers, suggestions, vectors] = await together([
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

const gravesOf = async (db: Db, datasetNo: number, ids: readonly string[]): Promise<ReadonlyMap<string, Micros>> => {
  const graves = new Map<string, Micros>()
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const rows = await db.sql
      .selectFrom('response_tombstones')
      .select(['id', 'deleted_at'])
      .where('dataset_no', '=', datasetNo)
      .where('id', 'in', ids.slice(from, from + AT_ONCE))
      .execute()
    for (const { id, deleted_at } of rows) graves.set(id, deleted_at)
  }
  return graves
}

const sameNumbers = (a: Float64Array, b: Float64Array): boolean =>
  a.length === b.length && a.every((number, i) => Object.is(number, b[i]))

/**
 * Loads what hangs on records that the caller has locked.
 * @param responseIds of the answers that come
 */
export const loadStanding = async (
  db: Db,
  datasetNo: number,
  { seqs, responseIds }: { readonly seqs: readonly number[]; readonly responseIds: readonly string[] },
): Promise<Standing> => {
  const answers = new Map<string, Micros>()
  const graves = await gravesOf(db, datasetNo, responseIds)
  const suggestions = new Map<string, Micros>()
  const vectors = new Map<string, Float64Array>()
  for (let from = 0; from < seqs.length; from += AT_ONCE) {
    const rows = await rowsOf(db, datasetNo, seqs.slice(from, from + AT_ONCE))
    for (const { seq, user_id, updated_at } of rows.answers) answers.set(`${seq} ${user_id}`, updated_at)
    for (const { seq, question_no, updated_at } of rows.suggestions) suggestions.set(`${seq} ${question_no}`, updated_at)
    for (const { seq, setting_no, raw } of rows.vectors) vectors.set(`${seq} ${setting_no}`, viewVector(raw))
  }
  return {
    suggestionAt: (seq, no) => suggestions.get(`${seq} ${no}`) ?? NEVER,
    responseAt: (seq, userId, id) => answers.get(`${seq} ${userId}`) ?? graves.get(id) ?? NEVER,
    isBuried: (id) => graves.has(id),
    hasVector: (seq, no, numbers) => sameNumbers(vectors.get(`${seq} ${no}`) ?? new Float64Array(), numbers),
  }
}
