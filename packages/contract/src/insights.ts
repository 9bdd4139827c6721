import { z } from 'zod'
import { ActiveTime } from './active-time.ts'
import { defineEndpoint } from './wire/define-endpoint.ts'
import { bool, printedDatetime, printedUuid, text } from './wire/scalars.ts'

/** Answers by status. */
const statusCounts = { submitted: z.int(), discarded: z.int(), draft: z.int() }
const Day = z.strictObject({ day: z.iso.date(), ...statusCounts })
/** The answers that last changed on one day. */
export type Day = z.infer<typeof Day>

/** Why there is no forecast. */
export const NoForecast = z.enum(['no_records', 'finished', 'too_few_days', 'no_recent_answers', 'too_far'])
export type NoForecast = z.infer<typeof NoForecast>

export const Forecast = z.strictObject({
  /** The day on which the last record will be completed if people continue to work as in the last four weeks. */
  finish: z.iso.date().nullable(),
  /** The 80% bootstrap interval of `finish`. `latest` is null if it is more than ten years ahead. */
  earliest: z.iso.date().nullable(),
  latest: z.iso.date().nullable(),
  /** Mean number of submitted answers per day in the last four weeks. */
  per_day: z.number().nullable(),
  /** Number of days that the forecast is based on. */
  days: z.int(),
  reason: NoForecast.nullable(),
})
export type Forecast = z.infer<typeof Forecast>

export const PersonInsights = z.strictObject({
  user_id: printedUuid(),
  ...statusCounts,
  /** Median number of submitted answers per day, counting only days with at least one. */
  per_day: z.number().nullable(),
  /** When the person last changed an answer. */
  last_seen: printedDatetime().nullable(),
  /** Null if none of the answers has active time, or if the dataset's settings hide it from the caller. */
  active_time: ActiveTime.nullable(),
  /** The latest days with answers. */
  days: z.array(Day),
})
export type PersonInsights = z.infer<typeof PersonInsights>

export const QuestionInsights = z.strictObject({
  question_id: printedUuid(),
  name: z.string(),
  /** Number of submitted answers that answer the question. */
  answers: z.int(),
  /** Each value, with the number of submitted answers that contain it. Empty for text questions. */
  values: z.array(
    z.strictObject({
      value: z.union([z.string(), z.number()]),
      count: z.int(),
      users: z.array(z.strictObject({ user_id: printedUuid(), count: z.int() })),
    }),
  ),
})
export type QuestionInsights = z.infer<typeof QuestionInsights>

export const SuggestionInsights = z.strictObject({
  question_id: printedUuid(),
  name: z.string(),
  agent: z.string().nullable(),
  /**
   * Number of submitted answers that have a value for the question and whose record currently has a suggestion for it, except
   * those in `not_shown`.
   */
  shown: z.int(),
  /** `accepted`: number of these answers that equal the suggestion. `changed`: number of these answers that differ from it. */
  accepted: z.int(),
  changed: z.int(),
  /**
   * `confirmed`: number of accepted answers whose author confirmed the suggestion. `accepted_unseen`: number of accepted answers
   * that were stored without a confirmation. For all other accepted answers, it is unknown whether the author confirmed the
   * suggestion.
   */
  confirmed: z.int(),
  accepted_unseen: z.int(),
  /** Number of answers whose authors were not shown the suggestion. */
  not_shown: z.int(),
})
export type SuggestionInsights = z.infer<typeof SuggestionInsights>

const ofAnswers = z.strictObject({ answers: z.int(), equal: z.int() })
const influence = {
  /** The answers whose authors were shown the suggestion, and how many of these answers equal the suggestion. */
  shown: ofAnswers,
  /**
   * The answers to records of the blind share, on which the authors never see suggestions, and how many of these answers equal
   * the suggestion.
   */
  blind: ofAnswers,
  /**
   * The share of equal answers in `shown` minus the share of equal answers in `blind`, with its 95% interval. Null if `shown` or
   * `blind` has fewer than `minComparedAnswers` answers.
   */
  difference: z.strictObject({ value: z.number(), low: z.number(), high: z.number() }).nullable(),
}
/**
 * The minimum number of answers in each of the two groups, with and without suggestions. If a group has fewer answers, the groups
 * aren't compared.
 */
export const minComparedAnswers = 10

/** How much more often answers equal the suggestion if it was shown than if it wasn't. */
export const SuggestionInfluence = z.strictObject({
  question_id: printedUuid(),
  name: z.string(),
  ...influence,
  /** The people who answered without seeing the suggestion (`blind`). Those with the most such answers come first. */
  people: z.array(z.strictObject({ user_id: printedUuid(), ...influence })),
})
export type SuggestionInfluence = z.infer<typeof SuggestionInfluence>

export const Insights = z.strictObject({
  /** When the answers were read. */
  as_of: printedDatetime(),
  cost_ms: z.int(),
  time_zone: z.string(),
  records: z.strictObject({ total: z.int(), completed: z.int(), pending: z.int() }),
  /** `needed`: the number of submitted answers that are still missing. */
  answers: z.strictObject({ ...statusCounts, needed: z.int() }),
  /** Days without answers are left out. */
  days: z.array(Day),
  forecast: Forecast,
  /** Whether the caller sees the active time of other people. */
  shows_active_time: z.boolean(),
  people: z.array(PersonInsights),
  questions: z.array(QuestionInsights),
  suggestions: z.array(SuggestionInsights),
  /**
   * One entry for each question that was answered on records of the blind share. The authors of these answers never saw
   * suggestions on the records.
   */
  influence: z.array(SuggestionInfluence),
})
export type Insights = z.infer<typeof Insights>

export const getInsights = defineEndpoint({
  id: 'insights.dataset',
  method: 'GET',
  path: '/datasets/:dataset_id/insights',
  query: z.object({
    /** The IANA time zone in which days begin. */
    time_zone: text({ keep: false }).default('UTC'),
    /** Compute again, even if the last result is recent. */
    fresh: bool().default(false),
  }),
  result: Insights,
  errors: [403, 404],
  addition: true,
  summary: 'Count answers by day, person, value and suggestion, and forecast when the dataset is finished',
})

export const insightsEndpoints = [getInsights] as const
