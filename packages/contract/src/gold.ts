import { z } from 'zod'
import { AnswerValue } from './answer-value.ts'
import { printedDatetime, printedUuid } from './wire/scalars.ts'

/**
 * Where a final answer comes from. If only one answer was given, the source is `accepted`. If a reviewer has decided between
 * answers, it is `adjudicated`.
 */
export const GoldSource = z.enum(['adjudicated', 'accepted', 'unanimous', 'majority', 'model_weighted', 'imported'])
export type GoldSource = z.infer<typeof GoldSource>

/** Why annotators disagreed. */
export const GoldReason = z.enum(['ambiguous', 'guideline_gap', 'slip', 'subjective'])
export type GoldReason = z.infer<typeof GoldReason>

/** A person. The username is null if the user no longer exists. */
export const Author = z.strictObject({ id: printedUuid(), username: z.string().nullable() })
export type Author = z.infer<typeof Author>

/** The final answer to one question. */
const GoldAnswer = z.strictObject({
  value: AnswerValue,
  source: GoldSource,
  reason: GoldReason.nullable(),
  note: z.string().nullable(),
  /** Who decided. */
  by: Author,
  at: printedDatetime(),
})
export type GoldAnswer = z.infer<typeof GoldAnswer>

/** The final answers of a record. */
export const Gold = z.strictObject({
  record_id: printedUuid(),
  /** By question name. */
  values: z.record(z.string(), GoldAnswer),
  /** Whether the review of the record is finished. */
  final: z.boolean(),
  /**
   * Whether the record or its answers have changed since the final answers were stored. Only two kinds of changes count: changes
   * to fields, and changes to submitted answers on which the final answers are based.
   */
  stale: z.boolean(),
  /** Increases with each change. Clients send the version that they have seen as `base_version`. */
  version: z.int(),
  /** Who made the last change. */
  by: Author,
  /** The version of the labels and guidelines under which the final answers were stored. Omitted if there was no version yet. */
  schema_version: z.int().exactOptional(),
  updated_at: printedDatetime(),
})
export type Gold = z.infer<typeof Gold>
