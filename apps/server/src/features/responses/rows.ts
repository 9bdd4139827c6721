import type { Shown } from '@postil/contract/comparison-sides.ts'
import type { Response, Returned } from '@postil/contract/responses.ts'
import type { SuggestionOutcomes } from '@postil/contract/suggestion-use.ts'
import { type AnsweredTest, isAnswered, type StoredTest } from '#features/test-items/public.ts'
import type { ResponseStatus, ResponseValues, SuggestionView } from '#platform/db/tables.ts'
import type { Micros } from '#platform/time.ts'
import { printTime } from '#platform/time.ts'

/** A stored answer, as the database returns it. */
export type StoredResponse = {
  readonly id: string
  readonly record_id: string
  readonly user_id: string
  readonly values: ResponseValues
  readonly suggestion_outcomes: SuggestionOutcomes | null
  /** The order in which the author saw compared fields. Null if there are none, or if it is unknown. */
  readonly shown: Shown | null
  /** How the suggestions were shown to the author; null if the author saw all of them. Not part of the wire format. */
  readonly suggestion_view: SuggestionView | null
  readonly returned: Returned | null
  readonly status: ResponseStatus
  /** The author's active time in milliseconds, up to this version. Null if no client has sent it. Not part of the wire format. */
  readonly active_ms: number | null
  readonly version: number
  readonly last_mutation_id: string | null
  readonly inserted_at: Micros
  readonly updated_at: Micros
}

export const responseColumns = [
  'id',
  'record_id',
  'user_id',
  'values',
  'suggestion_outcomes',
  'shown',
  'suggestion_view',
  'returned',
  'status',
  'active_ms',
  'version',
  'last_mutation_id',
  'inserted_at',
  'updated_at',
] as const

/** The properties that aren't stored for answers to test items. */
const notStoredOfTests = { shown: null, returned: null, suggestion_view: null }

/** Converts an answer to a test item to the type of ordinary answers. Null if the test item has no answer. */
export const answerToTest = (test: StoredTest): StoredResponse | null =>
  isAnswered(test) ? { ...test, ...notStoredOfTests } : null

/** Returns an answer to a test item in the wire format of answers. The result doesn't reveal that the record is a test item. */
export const printTestAnswer = (test: AnsweredTest): Response => printResponse({ ...test, ...notStoredOfTests })

/** Returns an answer in its wire format. */
export const printResponse = (row: StoredResponse): Response => ({
  id: row.id,
  values: row.values as Response['values'],
  status: row.status,
  record_id: row.record_id,
  user_id: row.user_id,
  version: row.version,
  // Old versions in the history don't have these properties.
  suggestion_outcomes: row.suggestion_outcomes ?? null,
  returned: row.returned ?? null,
  ...(row.shown && { shown: row.shown }),
  inserted_at: printTime(row.inserted_at),
  updated_at: printTime(row.updated_at),
})
