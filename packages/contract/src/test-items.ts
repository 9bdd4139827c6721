import { z } from 'zod'
import { AnswerValues } from './answer-value.ts'
import { ResponseStatus } from './responses.ts'
import { defineEndpoint } from './wire/define-endpoint.ts'
import { printedDatetime, printedUuid } from './wire/scalars.ts'

/** A person's answer to a test item. */
export const TestAnswer = z.strictObject({
  user_id: printedUuid(),
  values: AnswerValues,
  status: ResponseStatus,
  /** How correct the answer was when it was given, from 0 to 1. Null if it wasn't scored. */
  score: z.number().nullable(),
  inserted_at: printedDatetime(),
  updated_at: printedDatetime(),
})
export type TestAnswer = z.infer<typeof TestAnswer>

const PersonResult = z.strictObject({
  user_id: printedUuid(),
  username: z.string(),
  /** The number of scored answers to test items. */
  items: z.int(),
  /** The mean score from 0 to 1, with its 95% Wilson interval. */
  score: z.strictObject({ value: z.number(), low: z.number(), high: z.number() }),
  /** Whether the queue assigns no more records to the person. */
  stopped: z.boolean(),
})
export type PersonResult = z.infer<typeof PersonResult>

export const TestResults = z.strictObject({
  /** Whether people get test items. */
  enabled: z.boolean(),
  /**
   * The number of records that can be test items. 0 if the saved view for test items refers to parts of the dataset that don't
   * exist.
   */
  available: z.int(),
  /** Everyone with scored answers to test items: stopped people first, then by username. */
  people: z.array(PersonResult),
})
export type TestResults = z.infer<typeof TestResults>

export const getTestResults = defineEndpoint({
  id: 'review.checks',
  method: 'GET',
  path: '/datasets/:dataset_id/checks',
  result: TestResults,
  errors: [403, 404],
  addition: true,
  summary: "Get the results of people's answers to test items",
})
export const letContinue = defineEndpoint({
  id: 'review.let_continue',
  method: 'POST',
  path: '/datasets/:dataset_id/checks/:user_id/continue',
  errors: [403, 404],
  addition: true,
  summary: 'Let a person who was stopped by test items continue; only later answers can stop the person again',
})

export const testItemEndpoints = [getTestResults, letContinue] as const
