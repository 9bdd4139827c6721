import type { AnswerValue } from '@postil/contract/answer-value.ts'
import type { SuggestionScore } from '@postil/contract/suggestions.ts'
import type { QuestionRow } from '#features/schema/public.ts'
import { json } from '#platform/db/codecs.ts'
import { contentChanged } from '#platform/db/content-version.ts'
import type { Db } from '#platform/db/db.ts'
import { newDatasetId } from '#platform/ids.ts'
import { type Micros, now } from '#platform/time.ts'
import { suggestionIndexRows } from '#question-types/index-rows.ts'
import { Derived } from './derived.ts'
import { scoresAfter } from './relabeled-scores.ts'
import { dropSuggestions, suggestionsOfRecords } from './suggestion-rows.ts'

/** A suggestion before its labels change. The history keeps this version. */
export type LabeledSuggestion = {
  readonly id: string
  readonly question_no: number
  readonly value: AnswerValue
  readonly score: SuggestionScore | null
  readonly updated_at: Micros
}

type Relabeling = {
  readonly dataset_no: number
  readonly actor: string | null
  readonly schemaVersion: number
  readonly questions: readonly QuestionRow[]
  readonly seqs: readonly number[]
  /**
   * Returns the new value of a suggestion. If none of its labels change, this is its `value` object itself. `score` is set only
   * if the new score can't be derived from the previous one.
   */
  readonly relabeledValue: (suggestion: LabeledSuggestion) => {
    readonly value: AnswerValue
    readonly score?: SuggestionScore | null
  }
  /** Replaces the labels of a value. */
  readonly relabel: (value: AnswerValue, question: QuestionRow) => AnswerValue
}

/**
 * Replaces labels in stored suggestions, and updates their index rows and the history. The times of the suggestions don't change.
 * The caller has locked the records. @returns how many suggestions were changed
 */
export const relabelSuggestions = async (
  db: Db,
  { dataset_no, actor, schemaVersion, questions, seqs, relabeledValue, relabel }: Relabeling,
): Promise<number> => {
  const byNo = new Map(questions.map((question) => [question.no, question]))
  const derived = new Derived(dataset_no)
  const changes = (await suggestionsOfRecords(db, dataset_no, seqs)).flatMap((row) => {
    const question = byNo.get(row.question_no)
    if (question === undefined) return []
    // Values were validated when they were stored.
    const before: LabeledSuggestion = {
      id: row.id,
      question_no: row.question_no,
      value: JSON.parse(row.value_json) as AnswerValue,
      score: row.score_json === null ? null : (JSON.parse(row.score_json) as SuggestionScore),
      updated_at: row.updated_at,
    }
    const { value, score = scoresAfter(before, value, (one) => relabel([one] as AnswerValue, question)) } = relabeledValue(before)
    if (value === before.value) return []
    derived.add(row.seq, suggestionIndexRows(question, { value, type: row.type, agent: row.agent, score }))
    const { value_json: _, score_json: __, ...same } = row
    return [{ before, row: { dataset_no, ...same, value: json(value), score: score === null ? null : json(score) } }]
  })
  if (changes.length === 0) return 0
  await db.dialect.insertMany(
    db.sql,
    'history',
    changes.map(({ before, row }) => ({
      dataset_no,
      seq: row.seq,
      id: newDatasetId(dataset_no),
      subject: 'suggestion' as const,
      subject_id: row.id,
      action: 'update' as const,
      user_id: actor,
      at: now(),
      image: json({ ...before, schema_version: schemaVersion }),
    })),
  )
  const rows = changes.map(({ row }) => row)
  await dropSuggestions(db, dataset_no, rows)
  await db.dialect.insertMany(db.sql, 'suggestions', rows)
  await derived.insert(db)
  await contentChanged(db, dataset_no)
  return changes.length
}
