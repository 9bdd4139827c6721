import type { AnswerValue } from '@postil/contract/answer-value.ts'
import type { SuggestionScore } from '@postil/contract/suggestions.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'
import type { Difference } from '#features/responses/public.ts'
import type { Db } from '#platform/db/db.ts'
import { type IndexRows, metadataIndexRows, suggestionIndexRows } from '#question-types/index-rows.ts'
import type { Schema } from '../schema.ts'

export type Report = (difference: Omit<Difference, 'dataset_no'>) => void
export type Counts = Map<string, number>

export const addTo = (counts: Counts, key: string, by = 1): void => {
  counts.set(key, (counts.get(key) ?? 0) + by)
}

export const compareCounts = (report: Report, what: string, stored: Counts, counted: Counts): void => {
  for (const [key, n] of stored) if (!counted.has(key)) report({ what, key, stored: n, counted: 0 })
  for (const [key, n] of counted) {
    if (stored.get(key) !== n) report({ what, key, stored: stored.get(key) ?? 0, counted: n })
  }
}

/** Consecutive records, and their range of `seq`s from `after` (exclusive) to `last` (inclusive). */
export type Chunk = {
  readonly dataset: { readonly id: string; readonly no: number }
  readonly schema: Schema
  /** Numbers of the properties and questions whose index rows are complete. */
  readonly indexed: ReadonlySet<number>
  readonly after: number
  readonly last: number
  readonly records: readonly { readonly seq: number; readonly metadata: { readonly [key: string]: unknown } | null }[]
}

class IndexCounts {
  readonly terms: Counts = new Map()
  readonly numbers: Counts = new Map()
  add(seq: number, { terms, numbers }: IndexRows): void {
    for (const { key, value_key } of terms) addTo(this.terms, `${seq} ${key} ${value_key}`)
    for (const { key, number } of numbers) addTo(this.numbers, `${seq} ${key} ${number}`)
  }
}

const countMetadata = (counted: IndexCounts, { schema, indexed, records }: Chunk): void => {
  for (const { seq, metadata } of records) {
    for (const property of schema.properties) {
      if (metadata === null || !indexed.has(property.no) || !Object.hasOwn(metadata, property.name)) continue
      counted.add(seq, metadataIndexRows(property, metadata[property.name] as JsonValue))
    }
  }
}

const countSuggestions = async (db: Db, report: Report, counted: IndexCounts, chunk: Chunk): Promise<void> => {
  const seqs = new Set(chunk.records.map(({ seq }) => seq))
  const questions = new Map(chunk.schema.questions.map((question) => [question.no, question]))
  const rows = await db.sql
    .selectFrom('suggestions')
    .select(['seq', 'question_no', 'id', 'value', 'type', 'agent', 'score'])
    .where('dataset_no', '=', chunk.dataset.no)
    .where('seq', '>', chunk.after)
    .where('seq', '<=', chunk.last)
    .execute()
  for (const { seq, question_no, id, value, type, agent, score } of rows) {
    const question = questions.get(question_no)
    if (question === undefined || !seqs.has(seq)) report({ what: 'suggestions', key: id, stored: 1, counted: 0 })
    // Values were validated by the contract's schemas when they were stored.
    else
      counted.add(
        seq,
        suggestionIndexRows(question, { value: value as AnswerValue, type, agent, score: score as SuggestionScore | null }),
      )
  }
}

const storedIndex = async (db: Db, { dataset, indexed, after, last }: Chunk): Promise<IndexCounts> => {
  const stored = new IndexCounts()
  // Rows of a deleted property are left out, because they are removed in the background and nothing reads them.
  const isKnown = ({ key }: { readonly key: number }) => indexed.has(Math.floor(key / 8))
  const terms = await db.sql
    .selectFrom('record_terms')
    .select(['seq', 'key', 'value_key'])
    .where('dataset_no', '=', dataset.no)
    .where('seq', '>', after)
    .where('seq', '<=', last)
    .execute()
  for (const row of terms) if (isKnown(row)) stored.add(row.seq, { terms: [row], numbers: [] })
  const numbers = await db.sql
    .selectFrom('record_numbers')
    .select(['seq', 'key', 'number'])
    .where('dataset_no', '=', dataset.no)
    .where('seq', '>', after)
    .where('seq', '<=', last)
    .execute()
  for (const row of numbers) if (isKnown(row)) stored.add(row.seq, { terms: [], numbers: [row] })
  return stored
}

const compareVectors = async (db: Db, report: Report, { dataset, schema, after, last, records }: Chunk): Promise<void> => {
  const seqs = new Set(records.map(({ seq }) => seq))
  const settings = new Map(schema.vectors.map((setting) => [setting.no, setting]))
  const rows = await db.sql
    .selectFrom('vectors')
    .select(['seq', 'setting_no', 'raw'])
    .where('dataset_no', '=', dataset.no)
    .where('seq', '>', after)
    .where('seq', '<=', last)
    .execute()
  for (const { seq, setting_no, raw } of rows) {
    const key = `record number ${seq}`
    if (!seqs.has(seq)) report({ what: 'vectors', key, stored: 1, counted: 0 })
    const dimensions = settings.get(setting_no)?.dimensions
    const stored = raw.byteLength / 8
    if (dimensions !== undefined && dimensions !== stored) report({ what: 'vectors', key, stored, counted: dimensions })
  }
}

/** Compares records' index rows with the records themselves. */
export const compareChunk = async (db: Db, report: Report, chunk: Chunk): Promise<void> => {
  const counted = new IndexCounts()
  countMetadata(counted, chunk)
  await countSuggestions(db, report, counted, chunk)
  const stored = await storedIndex(db, chunk)
  compareCounts(report, 'record_terms', stored.terms, counted.terms)
  compareCounts(report, 'record_numbers', stored.numbers, counted.numbers)
  await compareVectors(db, report, chunk)
}
