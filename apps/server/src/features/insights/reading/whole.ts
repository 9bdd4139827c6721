import { comparableText } from '@postil/contract/comparable-text.ts'
import type { SuggestionOutcomes } from '@postil/contract/suggestion-use.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'
import { submittedAnswers } from '#features/responses/public.ts'
import type { QuestionRow } from '#features/schema/public.ts'
import type { Db } from '#platform/db/db.ts'
import type { ResponseValues, SuggestionView } from '#platform/db/tables.ts'
import type { Micros } from '#platform/time.ts'
import { serverQuestionType } from '#question-types/registry.ts'
import { InfluenceCounts } from './influence.ts'

/** Number of records whose answers one read returns. */
const RECORDS_AT_ONCE = 1000

type SuggestionCount = {
  readonly question: QuestionRow
  readonly agent: string | null
  shown: number
  accepted: number
  confirmed: number
  accepted_unseen: number
  not_shown: number
}
type Suggestion = { readonly agent: string | null; readonly text: string; readonly updated_at: Micros }
type Answered = {
  readonly user_id: string
  readonly suggestion_outcomes: SuggestionOutcomes | null
  readonly suggestion_view: SuggestionView | null
  readonly updated_at: Micros
}

const within = <K, V extends object>(map: Map<K, V>, key: K, make: () => V): V => {
  const known = map.get(key) ?? make()
  map.set(key, known)
  return known
}
const increase = <K>(counts: Map<K, number>, key: K): void => void counts.set(key, (counts.get(key) ?? 0) + 1)

/** Counts of submitted answers. */
export class WholeCounts {
  /** By question number. */
  readonly answered = new Map<number, number>()
  /** Keyed by question number, option and user. */
  readonly chosen = new Map<number, Map<string, Map<string, number>>>()
  readonly influence = new InfluenceCounts()
  readonly #suggestions = new Map<string, SuggestionCount>()
  get suggestions(): readonly SuggestionCount[] {
    return [...this.#suggestions.values()]
  }
  /** Counts what a submitted answer says about a question. */
  addAnswer(
    question: QuestionRow,
    { values, ...answer }: Answered & { readonly values: ResponseValues },
    suggestion: Suggestion | undefined,
  ): void {
    const given = Object.hasOwn(values, question.name) ? values[question.name]?.value : undefined
    const value = (given ?? null) as JsonValue
    if (value !== null) this.#add(question, answer, value, suggestion)
    if (suggestion === undefined) return
    const isEqual = value !== null && comparableText(value) === suggestion.text
    this.influence.add(question, answer, { isEqual, suggestedAt: suggestion.updated_at })
  }

  #add(question: QuestionRow, answer: Answered, value: JsonValue, suggestion: Suggestion | undefined): void {
    increase(this.answered, question.no)
    const options = serverQuestionType(question.settings).chosen?.(value) ?? []
    if (options.length > 0) {
      const byOption = within(this.chosen, question.no, () => new Map<string, Map<string, number>>())
      for (const option of options)
        increase(
          within(byOption, option, () => new Map<string, number>()),
          answer.user_id,
        )
    }
    if (suggestion === undefined) return
    const { agent, text } = suggestion
    const key = JSON.stringify([question.no, agent])
    const count = within(this.#suggestions, key, () => ({
      question,
      agent,
      shown: 0,
      accepted: 0,
      confirmed: 0,
      accepted_unseen: 0,
      not_shown: 0,
    }))
    if (answer.suggestion_view === 'blind' || answer.suggestion_view === 'hidden') {
      count.not_shown += 1
      return
    }
    count.shown += 1
    if (comparableText(value) !== text) return
    count.accepted += 1
    const use = answer.suggestion_outcomes?.[question.name]
    // The outcome may belong to an earlier suggestion.
    if (use?.agent !== agent) return
    if (use.outcome === 'confirmed') count.confirmed += 1
    else if (use.outcome === 'accepted_unseen') count.accepted_unseen += 1
  }
}

/** The suggestions for a range of records, keyed by record and question number. */
const suggestionsIn = async (
  db: Db,
  datasetNo: number,
  [from, to]: readonly [number, number],
): Promise<ReadonlyMap<string, Suggestion>> => {
  const rows = await db.sql
    .selectFrom('suggestions')
    .select(['seq', 'question_no', 'agent', 'value', 'updated_at'])
    .where('dataset_no', '=', datasetNo)
    .where('seq', '>=', from)
    .where('seq', '<', to)
    .execute()
  return new Map(
    rows.map(({ seq, question_no, agent, value, updated_at }) => [
      `${seq} ${question_no}`,
      { agent, text: comparableText(value as JsonValue), updated_at },
    ]),
  )
}

type Options = {
  readonly size: number
  readonly questions: readonly QuestionRow[]
  readonly withSuggestions: boolean
}

/**
 * Counts what can't be counted from the narrow index rows: which options were chosen in spans and rankings, and how many answers
 * equal the suggestion. Reads all submitted answers, in batches.
 */
export const countWhole = async (
  db: Db,
  datasetNo: number,
  { size, questions, withSuggestions }: Options,
): Promise<WholeCounts> => {
  const counts = new WholeCounts()
  for (let from = 0; from < size; from += RECORDS_AT_ONCE) {
    const rows = await submittedAnswers(db, datasetNo, from, from + RECORDS_AT_ONCE)
    const suggested =
      withSuggestions && rows.length > 0 ? await suggestionsIn(db, datasetNo, [from, from + RECORDS_AT_ONCE]) : null
    for (const row of rows)
      for (const question of questions) counts.addAnswer(question, row, suggested?.get(`${row.seq} ${question.no}`))
    await db.dialect.flush()
  }
  return counts
}
