import type { RankingItem, Span } from '@postil/contract/answer-value.ts'
import { spanTextOf } from '@postil/contract/question-types/span-text.ts'
import { codePointLength } from '@postil/contract/wire/code-points.ts'
import { submittedAnswers } from '#features/responses/public.ts'
import type { Db } from '#platform/db/db.ts'
import type { Submitted } from './submitted.ts'

/** Number of records whose answers or fields are read at once. */
const RECORDS_AT_ONCE = 500

/**
 * Finds the distinct values of the answers to a question. Used for values that have no rows in the narrow tables
 * (`response_terms`, `response_numbers`). Reads all answers of the dataset in batches.
 * @param keyOf returns the same key for values that are treated as equal
 */
const distinctValues = async <T>(
  db: Db,
  datasetNo: number,
  question: string,
  submitted: Submitted,
  keyOf: (value: T) => string,
): Promise<{ readonly values: Int32Array; readonly distinct: readonly T[]; readonly indexOf: (value: T) => number }> => {
  const values = new Int32Array(submitted.count).fill(-1)
  const distinct: T[] = []
  const known = new Map<string, number>()
  const indexOf = (value: T): number => {
    const key = keyOf(value)
    const index = known.get(key) ?? distinct.push(value) - 1
    known.set(key, index)
    return index
  }
  const raterOf = new Map(submitted.users.map((user, rater) => [user, rater]))
  for (let from = 0; from < submitted.size; from += RECORDS_AT_ONCE) {
    const rows = await submittedAnswers(db, datasetNo, from, from + RECORDS_AT_ONCE)
    for (const { seq, user_id, values: given } of rows) {
      const at = submitted.positionOf(seq, raterOf.get(user_id) ?? -1)
      const value = Object.hasOwn(given, question) ? (given[question]?.value as T | undefined) : undefined
      if (at < 0 || value === undefined || value === null) continue
      values[at] = indexOf(value)
    }
    await db.dialect.flush()
  }
  return { values, distinct, indexOf }
}

export const readTexts = (db: Db, datasetNo: number, question: string, submitted: Submitted) =>
  distinctValues<string>(db, datasetNo, question, submitted, (text) => text)

/** Reads rankings. Each ranking is a list with the rank of each option. Options without a rank share the last place. */
export const readRankings = async (
  db: Db,
  datasetNo: number,
  question: string,
  submitted: Submitted,
  options: readonly string[],
) => {
  const ranksOf = (items: readonly RankingItem[]): number[] => {
    const ranks = new Map(items.map(({ value, rank }) => [value, rank]))
    return options.map((option) => ranks.get(option) ?? options.length + 1)
  }
  const { values, distinct, indexOf } = await distinctValues<readonly RankingItem[]>(
    db,
    datasetNo,
    question,
    submitted,
    (items) => ranksOf(items).join(' '),
  )
  /** Call it after the last call of `indexOf`, which can add rankings. */
  const rankings = (): readonly (readonly number[])[] => distinct.map(ranksOf)
  return { values, rankings, distinct, indexOf }
}

const compareSpans = (a: Span, b: Span): number =>
  a.start - b.start || a.end - b.end || (a.label < b.label ? -1 : a.label > b.label ? 1 : 0)

export const readSpans = (db: Db, datasetNo: number, question: string, submitted: Submitted) =>
  distinctValues<readonly Span[]>(db, datasetNo, question, submitted, (spans) =>
    JSON.stringify(spans.toSorted(compareSpans).map(({ label, start, end }) => [label, start, end])),
  )

/** The number of code points of each record's text. 0 if it has none. */
export const readLengths = async (db: Db, datasetNo: number, field: string, seqs: Uint32Array): Promise<Uint32Array> => {
  const lengths = new Uint32Array(seqs.length)
  const placeOf = new Map(Array.from(seqs, (seq, i) => [seq, i]))
  for (let at = 0; at < seqs.length; at += RECORDS_AT_ONCE) {
    const rows = await db.sql
      .selectFrom('records')
      .select(['seq', 'fields'])
      .where('dataset_no', '=', datasetNo)
      .where('seq', 'in', db.dialect.listed([...seqs.subarray(at, at + RECORDS_AT_ONCE)]))
      .execute()
    for (const { seq, fields } of rows) {
      const found = Object.hasOwn(fields, field) ? spanTextOf(fields[field]) : null
      if (found !== null) lengths[placeOf.get(seq)!] = codePointLength(found.text)
    }
    await db.dialect.flush()
  }
  return lengths
}
