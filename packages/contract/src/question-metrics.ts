import { z } from 'zod'
import { MetadataHistogram, maxHistogramBins } from './metadata-properties.ts'
import { ResponseStatus } from './responses.ts'
import { defineEndpoint } from './wire/define-endpoint.ts'
import { int } from './wire/scalars.ts'

/** How many records have each value, most first: labels, or the numbers of a rating. */
const ValueCounts = z.array(z.strictObject({ value: z.union([z.string(), z.int()]), count: z.int() }))
export type ValueCounts = z.infer<typeof ValueCounts>

export const SuggestionMetrics = z.strictObject({
  /** None where suggested values can not be filtered by, as of texts. */
  values: ValueCounts,
  agents: z.array(z.strictObject({ value: z.string(), count: z.int() })),
  /** From 0 to 1; none without scores. */
  scores: MetadataHistogram.shape.bins,
})
export type SuggestionMetrics = z.infer<typeof SuggestionMetrics>

export const AnswerMetrics = z.strictObject({ values: ValueCounts })
export type AnswerMetrics = z.infer<typeof AnswerMetrics>

export const getSuggestionMetrics = defineEndpoint({
  id: 'questions.suggestion_metrics',
  method: 'GET',
  path: '/questions/:question_id/suggestions/metrics',
  query: z.object({ bins: int({ ge: 1, le: maxHistogramBins }).default(20) }),
  result: SuggestionMetrics,
  errors: [403, 404],
  addition: true,
  summary: 'How many records have which suggested value, agent and score',
})

export const getMyAnswerMetrics = defineEndpoint({
  id: 'questions.my_answer_metrics',
  method: 'GET',
  path: '/me/questions/:question_id/responses/metrics',
  query: z.object({ status: ResponseStatus.optional() }),
  result: AnswerMetrics,
  errors: [403, 404],
  addition: true,
  summary: 'How many of the own answers have which value',
})

export const questionMetricEndpoints = [getSuggestionMetrics, getMyAnswerMetrics] as const
