import { z } from 'zod'
import { AnswerValue } from './answer-value.ts'
import { defineEndpoint } from './wire/define-endpoint.ts'
import { idsQuery } from './wire/query-lists.ts'
import { Fault, scalar } from './wire/scalar.ts'
import { itemsOf, printedDatetime, printedUuid, text, toFloat, uuid } from './wire/scalars.ts'

export const SuggestionType = z.enum(['model', 'human'])
export type SuggestionType = z.infer<typeof SuggestionType>
/** A number from 0 to 1, or one number per item if the value is a list. */
export type SuggestionScore = number | readonly number[]

const toScore = (value: unknown): number | Fault => {
  const score = toFloat(value)
  if (score instanceof Fault) return score
  if (score < 0) return new Fault('greater_than_equal', 'Input should be greater than or equal to 0')
  return score <= 1 ? score : new Fault('less_than_equal', 'Input should be less than or equal to 1')
}

const scoreJson = {
  anyOf: [
    { type: 'number', minimum: 0, maximum: 1 },
    { type: 'array', items: { type: 'number' } },
  ],
}
export const SuggestionScore = scalar<SuggestionScore>(scoreJson, (value) => {
  if (!Array.isArray(value)) return toScore(value)
  if (value.length === 0) return new Fault('too_short', 'List should have at least 1 item')
  const scores: number[] = []
  for (let index = 0; index < value.length; index += 1) {
    const score = toScore(value[index])
    if (score instanceof Fault) return new Fault(score.type, score.reason, [index])
    scores.push(score)
  }
  return scores
})

export const Suggestion = z.strictObject({
  id: printedUuid(),
  question_id: printedUuid(),
  type: SuggestionType.nullable(),
  value: AnswerValue,
  agent: z.string().nullable(),
  score: SuggestionScore.nullable(),
  /** The version of the labels and guidelines under which the suggestion was stored. Omitted if there was no version yet. */
  schema_version: z.int().exactOptional(),
  inserted_at: printedDatetime(),
  updated_at: printedDatetime(),
})
export type Suggestion = z.infer<typeof Suggestion>

const agentPattern = /^(?=.*[a-zA-Z0-9])[a-zA-Z0-9\-_:./\s]+$/s

export const SuggestionCreate = z.object({
  question_id: uuid(),
  value: AnswerValue,
  type: SuggestionType.nullish(),
  agent: text({ min: 1, max: 200, pattern: agentPattern }).nullish(),
  score: SuggestionScore.nullish(),
})
export type SuggestionCreate = z.infer<typeof SuggestionCreate>

export const listSuggestions = defineEndpoint({
  id: 'suggestions.list',
  method: 'GET',
  path: '/records/:record_id/suggestions',
  result: itemsOf(Suggestion),
  errors: [403, 404],
  summary: 'List the suggestions of a record',
})
export const putSuggestion = defineEndpoint({
  id: 'suggestions.put',
  method: 'PUT',
  path: '/records/:record_id/suggestions',
  body: SuggestionCreate,
  successes: [200, 201],
  result: Suggestion,
  errors: [403, 404],
  summary: "Create or replace a record's suggestion for a question",
})
export const deleteSuggestions = defineEndpoint({
  id: 'suggestions.delete_many',
  method: 'DELETE',
  path: '/records/:record_id/suggestions',
  query: z.object({ ids: idsQuery() }),
  errors: [403, 404],
  summary: 'Delete suggestions of a record by id; unknown ids are skipped',
})
export const deleteSuggestion = defineEndpoint({
  id: 'suggestions.delete',
  method: 'DELETE',
  path: '/suggestions/:suggestion_id',
  result: Suggestion,
  errors: [403, 404],
  summary: 'Delete a suggestion',
})

export const suggestionEndpoints = [listSuggestions, putSuggestion, deleteSuggestions, deleteSuggestion] as const
