import { z } from 'zod'
import { MetadataHistogram, maxHistogramBins } from './metadata-properties.ts'
import { ResponseStatus } from './responses.ts'
import { defineEndpoint } from './wire/define-endpoint.ts'
import { int } from './wire/scalars.ts'

/** Record counts by value (a label or a rating), in descending order. */
const ValueCounts = z.array(z.strictObject({ value: z.union([z.string(), z.int()]), count: z.int() }))
export type ValueCounts = z.infer<typeof ValueCounts>

export const SuggestionMetrics = z.strictObject({
  /** Empty for questions whose values can't be filtered, such as text questions. */
  values: ValueCounts,
  agents: z.array(z.strictObject({ value: z.string(), count: z.int() })),
  /** Record counts by score, in bins from 0 to 1. Empty if there are no scores. */
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
  summary: 'Count records by suggested value, agent and score',
})

export const getMyAnswerMetrics = defineEndpoint({
  id: 'questions.my_answer_metrics',
  method: 'GET',
  path: '/me/questions/:question_id/responses/metrics',
  query: z.object({ status: ResponseStatus.optional() }),
  result: AnswerMetrics,
  errors: [403, 404],
  addition: true,
  summary: "Count the caller's answers by value",
})

export const questionMetricEndpoints = [getSuggestionMetrics, getMyAnswerMetrics] as const
