import type { AnswerValue } from '@postil/contract/answer-value.ts'
import { currentAnswerValue } from '@postil/contract/question-types/index.ts'
import { jsonEquals } from '@postil/contract/wire/json.ts'
import type { QuestionRow } from '#features/schema/public.ts'
import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import { pipelineInOrder } from '#platform/db/statements/pipeline.ts'
import { newDatasetId } from '#platform/ids.ts'
import type { Micros } from '#platform/time.ts'
import { now } from '#platform/time.ts'
import { suggestionIndexRows } from '#question-types/index-rows.ts'
import type { PreparedSuggestion } from '../bulk/prepare.ts'
import type { Schema } from '../schema.ts'
import type { Derived } from './derived.ts'
import { dropDerived, keysOf } from './derived.ts'
import { scoresAfter } from './relabeled-scores.ts'

export type SuggestionRow = {
  readonly seq: number
  readonly question_no: number
  readonly id: string
  readonly type: PreparedSuggestion['type']
  readonly value_json: string
  readonly agent: string | null
  readonly score_json: string | null
  readonly inserted_at: Micros
  readonly updated_at: Micros
}

export const suggestionColumns = [
  'seq',
  'question_no',
  'id',
  'type',
  'value as value_json',
  'agent',
  'score as score_json',
  'inserted_at',
  'updated_at',
] as const

type SuggestionChange = {
  readonly seq: number
  /** True for a record that this command created, which has no suggestions yet. */
  readonly isNew: boolean
  /** By question number. Already validated. */
  readonly suggestions: ReadonlyMap<number, PreparedSuggestion>
  /** Whether suggestions for questions that aren't in `suggestions` are removed. */
  readonly replace: boolean
}

/** Returns the suggestions of records. */
export const suggestionsOfRecords = async (
  db: Db,
  datasetNo: number,
  seqs: readonly number[],
): Promise<readonly SuggestionRow[]> => {
  if (seqs.length === 0) return []
  const query = db.sql.selectFrom('suggestions').select(suggestionColumns).where('dataset_no', '=', datasetNo)
  // Selecting a column under an alias returns the stored text unparsed.
  return (await query.where('seq', 'in', db.dialect.listed(seqs)).execute()) as unknown as readonly SuggestionRow[]
}

const sameJson = (a: string | null, b: string | null): boolean =>
  a === b || (a !== null && b !== null && jsonEquals(JSON.parse(a), JSON.parse(b)))

const isSame = (row: SuggestionRow, sent: PreparedSuggestion): boolean =>
  row.type === sent.type &&
  row.agent === sent.agent &&
  sameJson(row.value_json, sent.value_json) &&
  sameJson(row.score_json, sent.score_json)

/** Replaces labels that have been renamed or merged since the suggestion was made. */
export const currentSuggestion = (sent: PreparedSuggestion, question: QuestionRow | undefined): PreparedSuggestion => {
  if (question === undefined) return sent
  const { settings } = question
  const value = currentAnswerValue(sent.value, settings)
  if (value === sent.value) return sent
  const score = scoresAfter(sent, value, (one) => currentAnswerValue([one] as AnswerValue, settings))
  return { ...sent, value, score, value_json: json(value), score_json: score === null ? null : json(score) }
}

/** Deletes the given suggestions and their index rows. */
export const dropSuggestions = async (
  db: Db,
  datasetNo: number,
  rows: readonly { readonly seq: number; readonly question_no: number }[],
): Promise<void> => {
  for (const [question_no, own] of Map.groupBy(rows, (row) => row.question_no)) {
    const seqs = own.map(({ seq }) => seq)
    await db.sql
      .deleteFrom('suggestions')
      .where('dataset_no', '=', datasetNo)
      .where('seq', 'in', db.dialect.listed(seqs))
      .where('question_no', '=', question_no)
      .execute()
    await dropDerived(db, datasetNo, seqs, keysOf(question_no))
  }
}

/** The stored suggestions for questions that have no suggestion in `sent`. */
const unsentIn = (rows: readonly SuggestionRow[] | undefined, sent: SuggestionChange['suggestions']): readonly SuggestionRow[] =>
  rows?.filter(({ question_no }) => !sent.has(question_no)) ?? []

/**
 * Writes suggestions, one per question and record. A replaced suggestion keeps its ID. Unchanged suggestions aren't written.
 * @param derived the index rows collected so far, which are inserted together with the suggestions' index rows
 * @returns the sent suggestions as they are now stored, by record, in the order in which they were sent
 */
export const storeSuggestions = async (
  db: Db,
  datasetNo: number,
  schema: Schema,
  { changes, derived }: { readonly changes: readonly SuggestionChange[]; readonly derived: Derived },
): Promise<ReadonlyMap<number, readonly SuggestionRow[]>> => {
  const questions = new Map(schema.questions.map((question) => [question.no, question]))
  const touched = changes.filter(({ suggestions, replace }) => suggestions.size > 0 || replace)
  const stored = await suggestionsOfRecords(
    db,
    datasetNo,
    touched.filter(({ isNew }) => !isNew).map(({ seq }) => seq),
  )
  const currentRows = new Map(stored.map((row) => [`${row.seq} ${row.question_no}`, row]))
  const dropped: SuggestionRow[] = []
  const added: SuggestionRow[] = []
  const result = new Map<number, SuggestionRow[]>()
  const bySeq = Map.groupBy(stored, ({ seq }) => seq)
  for (const { seq, suggestions, replace } of touched) {
    const rows: SuggestionRow[] = []
    result.set(seq, rows)
    if (replace) dropped.push(...unsentIn(bySeq.get(seq), suggestions))
    for (const [question_no, given] of suggestions) {
      const question = questions.get(question_no)
      const sent = currentSuggestion(given, question)
      const before = currentRows.get(`${seq} ${question_no}`)
      if (before !== undefined && isSame(before, sent)) {
        rows.push(before)
        continue
      }
      const at = now()
      const { type, agent, value_json, score_json } = sent
      const id = before?.id ?? sent.original?.id ?? newDatasetId(datasetNo)
      const row = {
        seq,
        question_no,
        id,
        type,
        value_json,
        agent,
        score_json,
        inserted_at: before?.inserted_at ?? sent.original?.inserted_at ?? at,
        updated_at: sent.original?.updated_at ?? at,
      }
      rows.push(row)
      added.push(row)
      if (before !== undefined) dropped.push(before)
      if (question !== undefined) derived.add(seq, suggestionIndexRows(question, sent))
    }
  }
  await dropSuggestions(db, datasetNo, dropped)
  await pipelineInOrder(db.dialect.flush, [
    () =>
      db.dialect.insertMany(
        db.sql,
        'suggestions',
        added.map(({ value_json, score_json, ...row }) => ({
          dataset_no: datasetNo,
          ...row,
          value: value_json as PreparedSuggestion['value_json'],
          score: score_json as PreparedSuggestion['score_json'],
        })),
      ),
    () => derived.insert(db),
  ])
  return result
}
