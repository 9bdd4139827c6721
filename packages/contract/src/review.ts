import { z } from 'zod'
import { AnswerValue } from './answer-value.ts'
import { Author, Gold, GoldReason, GoldSource } from './gold.ts'
import { goldRules } from './gold-rules.ts'
import { Job } from './jobs.ts'
import { recordTarget, refuseUnclearTarget } from './record-target.ts'
import { Response } from './responses.ts'
import { defineEndpoint } from './wire/define-endpoint.ts'
import {
  maxExcludedRecords,
  maxGoldQuestions,
  maxNoteLength,
  maxReviewers,
  maxReviewRecords,
  maxUniqueName,
} from './wire/limits.ts'
import { idsQuery } from './wire/query-lists.ts'
import { bool, boolOr, float, int, printedDatetime, printedUuid, text, uuid } from './wire/scalars.ts'

/**
 * Which records are reviewed. `off`: none. `disagreements`: records whose answers differ. `sample`: a fixed random sample. `all`:
 * all records.
 */
const ReviewMode = z.enum(['off', 'disagreements', 'sample', 'all'])

const share = () => float({ ge: 0, le: 1 })
/** How many submitted answers a question needs before a rule can derive its final answer from them. */
const least = () => int({ ge: 1, le: 1_000_000 }).default(2)

/** Settings for test items: records with final answers that check whether people answer carefully. */
const Checks = z.object({
  /** Every n-th record that a person gets is a test item. */
  every: int({ ge: 2, le: 1000 }),
  /** The score below which a person gets no more records. Null: nobody is stopped. */
  stop_below: float({ gt: 0, le: 1 }).nullish(),
  /** The maximum difference from the final answer at which a rating counts as right. */
  tolerance: float({ ge: 0 }).default(0),
  /** The saved view that finds the records. Null: all completed records with final answers. */
  view_id: uuid().nullish(),
})

export const ReviewSettings = z.object({
  mode: ReviewMode.default('off'),
  /** The share of records to review, from 0 to 1. Has an effect only in the mode `sample`. */
  sample: share().default(0.1),
  /**
   * The agreement below which a record is reviewed, keyed by question name. Default: 1. Has an effect only in the mode
   * `disagreements`.
   */
  below: z.record(text({ keep: false }), share()).default({}),
  /** How many submitted answers a record needs before it is reviewed. Null: the number of answers that completes a record. */
  needs: int({ ge: 1, le: 1_000_000 }).nullish(),
  /** Annotators who can also review. Owners and admins can always review. */
  reviewers: z.array(uuid()).max(maxReviewers).default([]),
  /** Whether people also review records that they have answered themselves. */
  own_answers: boolOr(false),
  /** Whether reviewers who are annotators see who gave which answer. */
  names: z.enum(['shown', 'hidden']).default('shown'),
  /**
   * The username of a deactivated user. The final answers can be read as submitted answers of this user. Null: they can't be read
   * as answers.
   */
  publish_gold_as: text({ min: 1, max: maxUniqueName }).nullish(),
  /**
   * The rules by which a record gets final answers automatically, as soon as it has enough answers. Null if there are no rules.
   */
  auto: z
    .object({
      /** Whether all annotators must have given the same answer. */
      unanimous: boolOr(false),
      /**
       * `min`: how many answers the question needs. If more than `share` of its answers have the same value, this value becomes
       * the final answer.
       */
      majority: z.object({ min: least(), share: share().default(0.5) }).nullish(),
    })
    .nullish(),
  /** Null: people get no test items. */
  checks: Checks.nullish(),
})
export type ReviewSettings = z.infer<typeof ReviewSettings>
/** The input type, before defaults are applied. */
export type ReviewSettingsInput = z.input<typeof ReviewSettings>

export const PrintedReviewSettings = z.strictObject({
  mode: ReviewMode,
  sample: z.number(),
  below: z.record(z.string(), z.number()),
  needs: z.int().nullable(),
  /** Reviewers who still exist. Empty for annotators. */
  reviewers: z.array(z.strictObject({ id: printedUuid(), username: z.string() })),
  own_answers: z.boolean(),
  names: z.enum(['shown', 'hidden']),
  /** Null for annotators, and if the user no longer exists. */
  publish_gold_as: z.string().nullable(),
  auto: z.strictObject({
    unanimous: z.boolean(),
    majority: z.strictObject({ min: z.int(), share: z.number() }).nullable(),
  }),
  /** Null for annotators. */
  checks: z
    .strictObject({
      every: z.int(),
      stop_below: z.number().nullable(),
      tolerance: z.number(),
      view_id: printedUuid().nullable(),
      /** The name of the view, which can be a private view of another person. Null if there is no view. */
      view_name: z.string().nullable(),
    })
    .nullable(),
  /** Whether the caller can review records. */
  can_review: z.boolean(),
})
export type PrintedReviewSettings = z.infer<typeof PrintedReviewSettings>

/** A group of equal answers to one question. */
const AnswerGroup = z.strictObject({
  value: AnswerValue,
  /** How many people gave this answer. 0 if only the suggestion has this value. */
  count: z.int(),
  /** Who gave this answer. Empty if names are hidden from the caller. */
  users: z.array(Author),
  /** Whether the suggestion has this value. */
  suggested: z.boolean(),
})
export type AnswerGroup = z.infer<typeof AnswerGroup>

const ComparedQuestion = z.strictObject({
  name: z.string(),
  /** The most frequent answer first. */
  groups: z.array(AnswerGroup),
  /** The number of submitted answers without a value for the question. */
  without: z.int(),
  /** From 0 to 1. Null if fewer than two answers can be compared. */
  agreement: z.number().nullable(),
})
export type ComparedQuestion = z.infer<typeof ComparedQuestion>

/** One person's submitted answer. */
const ComparedAnswer = z.strictObject({
  id: printedUuid(),
  version: z.int(),
  /** Null if names are hidden from the caller. */
  by: Author.nullable(),
  /** The positions of the groups that contain this answer, keyed by question name. */
  groups: z.record(z.string(), z.int()),
})
export type ComparedAnswer = z.infer<typeof ComparedAnswer>

export const Comparison = z.strictObject({
  record_id: printedUuid(),
  /** The number of submitted answers. */
  submitted: z.int(),
  /** In the order of the dataset's questions. */
  questions: z.array(ComparedQuestion),
  /** Null before the first review. */
  gold: Gold.nullable(),
  /** The submitted answers, in the order in which they were created. */
  answers: z.array(ComparedAnswer),
})
export type Comparison = z.infer<typeof Comparison>

const SentGoldAnswer = z.object({
  value: AnswerValue,
  source: GoldSource,
  reason: GoldReason.nullish(),
  note: text({ max: maxNoteLength }).nullish(),
})

export const GoldBody = z.object({
  mutation_id: uuid(),
  /** The version of the final answers on which the change is based; null if there are none. */
  base_version: int({ ge: 0 }).nullable(),
  /** All final answers of the record, keyed by question name. Answers that are left out are removed. */
  values: z.record(text({ keep: false }), SentGoldAnswer),
  /** Whether the review of the record is finished. In a finished review, every required question needs an answer. */
  final: bool().default(true),
})
export type GoldBody = z.infer<typeof GoldBody>
export type GoldInput = z.input<typeof GoldBody>

export const GoldJobBody = z
  .object({
    ...recordTarget,
    /**
     * `unanimous`: all annotators gave the same answer. `majority`: more than `share` of them gave the same answer.
     * `dawid_skene`, `mace`: the model of this name finds an answer whose probability is more than `share`.
     */
    rule: z.enum(goldRules),
    /** The questions to decide; null for all. */
    questions: z
      .array(text({ keep: false }))
      .min(1)
      .max(maxGoldQuestions)
      .nullish(),
    /** How many submitted answers a question needs. */
    min: least(),
    /**
     * An answer becomes the final answer only if its share of the answers, or its probability, exceeds this value. Has no effect
     * for `unanimous`.
     */
    share: share().default(0.5),
    /** Whether to only count the final answers that the job would store, without storing them. */
    dry_run: boolOr(false),
  })
  .superRefine(refuseUnclearTarget)
export type GoldJobBody = z.infer<typeof GoldJobBody>
export type GoldJobInput = z.input<typeof GoldJobBody>

export const ReturnBody = z.object({
  comment: text({ min: 1, max: maxNoteLength }),
  /** The version of the answer that the reviewer has seen. If omitted, the answer is returned regardless of its version. */
  base_version: int({ ge: 0 }).nullish(),
})
export type ReturnBody = z.infer<typeof ReturnBody>

export const ReviewQueueBody = z.object({
  limit: int({ ge: 1, le: maxReviewRecords }).default(1),
  /** Records to leave out. */
  exclude: z.array(uuid()).max(maxExcludedRecords).nullish(),
})
export type ReviewQueueBody = z.infer<typeof ReviewQueueBody>

/** Records in the review queue are counted only up to this number. */
export const maxCountedReviews = 1000

export const ReviewQueueResult = z.strictObject({
  /** The records with the lowest agreement come first. `until` is the time until which no other reviewer gets the record. */
  items: z.array(z.strictObject({ record_id: printedUuid(), until: printedDatetime() })),
  /** How many records are waiting for review, including the records in `items`. At most 1,000. */
  left: z.int(),
  /** Whether more records wait for review than `left` says. */
  more: z.boolean(),
})
export type ReviewQueueResult = z.infer<typeof ReviewQueueResult>

export const getReviewSettings = defineEndpoint({
  id: 'review.settings',
  method: 'GET',
  path: '/datasets/:dataset_id/review-settings',
  result: PrintedReviewSettings,
  errors: [403, 404],
  addition: true,
  summary: 'Get the review settings of a dataset',
})
export const setReviewSettings = defineEndpoint({
  id: 'review.set_settings',
  method: 'PUT',
  path: '/datasets/:dataset_id/review-settings',
  body: ReviewSettings,
  result: PrintedReviewSettings,
  errors: [403, 404],
  addition: true,
  summary: 'Replace the review settings of a dataset; omitted settings get their defaults',
})
export const takeReviews = defineEndpoint({
  id: 'review.take',
  method: 'POST',
  path: '/me/datasets/:dataset_id/review-queue',
  body: ReviewQueueBody,
  result: ReviewQueueResult,
  errors: [403, 404],
  addition: true,
  summary: 'Get the next records to review, each reserved for the caller; safe to repeat',
})
export const releaseReviews = defineEndpoint({
  id: 'review.release',
  method: 'DELETE',
  path: '/me/datasets/:dataset_id/review-queue',
  query: z.object({ ids: idsQuery().optional() }),
  errors: [403, 404],
  addition: true,
  summary: 'Release the given records that are reserved for the caller, or all of them if no ids are given',
})
export const getComparison = defineEndpoint({
  id: 'review.comparison',
  method: 'GET',
  path: '/records/:record_id/comparison',
  result: Comparison,
  errors: [403, 404],
  addition: true,
  summary: 'Get the submitted answers to a record, grouped by value, and its final answers',
})
export const putGold = defineEndpoint({
  id: 'review.put_gold',
  method: 'PUT',
  path: '/records/:record_id/gold',
  body: GoldBody,
  result: Gold,
  errors: [403, 404, 409, 422],
  addition: true,
  summary: "Store a record's final answers exactly once, even if the request is repeated",
})

export const returnResponse = defineEndpoint({
  id: 'review.return',
  method: 'POST',
  path: '/responses/:response_id/return',
  body: ReturnBody,
  result: Response,
  errors: [403, 404, 409, 422],
  addition: true,
  summary: "Return a submitted answer to its author: it becomes a draft with the reviewer's comment",
})

export const startGoldJob = defineEndpoint({
  id: 'review.start_job',
  method: 'POST',
  path: '/datasets/:dataset_id/gold/jobs',
  body: GoldJobBody,
  status: 202,
  result: Job,
  errors: [403, 404, 422],
  addition: true,
  summary: 'Store final answers that a rule decides, for records that are not reviewed yet; undecided questions are left out',
})
export const undoGoldJob = defineEndpoint({
  id: 'review.undo_job',
  method: 'POST',
  path: '/datasets/:dataset_id/gold/jobs/:job_id/undo',
  status: 202,
  result: Job,
  errors: [403, 404, 422],
  addition: true,
  summary: 'Undo a job that stored final answers, except for records that have been reviewed since',
})

export const reviewEndpoints = [
  getReviewSettings,
  setReviewSettings,
  takeReviews,
  releaseReviews,
  getComparison,
  putGold,
  returnResponse,
  startGoldJob,
  undoGoldJob,
] as const
