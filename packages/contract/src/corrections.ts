import { z } from 'zod'
import { AnswerValue } from './answer-value.ts'
import { Author, GoldReason } from './gold.ts'
import { Record } from './records.ts'
import { defineEndpoint } from './wire/define-endpoint.ts'
import { maxCorrections } from './wire/limits.ts'
import { int, printedDatetime } from './wire/scalars.ts'

/** A question whose final answer differs from the caller's answer. */
const CorrectedQuestion = z.strictObject({
  name: z.string(),
  /** The caller's answer. Null if the caller has left out the question. */
  value: AnswerValue.nullable(),
  final: AnswerValue,
  reason: GoldReason.nullable(),
  note: z.string().nullable(),
  /** Who decided. Null if names are hidden from the caller. */
  by: Author.nullable(),
  at: printedDatetime(),
})
export type CorrectedQuestion = z.infer<typeof CorrectedQuestion>

export const Correction = z.strictObject({
  /** Includes the caller's answer. */
  record: Record,
  /** In the order of the dataset's questions. */
  questions: z.array(CorrectedQuestion),
})
export type Correction = z.infer<typeof Correction>

export const CorrectionsPage = z.strictObject({
  /** The latest reviews first. */
  items: z.array(Correction),
  /** The `offset` of the next page, which can be empty. Null if there is no next page. */
  next: z.int().nullable(),
})
export type CorrectionsPage = z.infer<typeof CorrectionsPage>

export const listCorrections = defineEndpoint({
  id: 'review.corrections',
  method: 'GET',
  path: '/me/datasets/:dataset_id/corrections',
  query: z.object({
    limit: int({ ge: 1, le: maxCorrections }).default(20),
    /** The number of reviewed answers to skip: 0, or `next` of the previous page. */
    offset: int({ ge: 0 }).default(0),
  }),
  result: CorrectionsPage,
  errors: [403, 404],
  addition: true,
  summary: "List the caller's submitted answers that differ from the final answers, the latest reviews first",
})

export const correctionEndpoints = [listCorrections] as const
