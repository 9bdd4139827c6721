import { z } from 'zod'
import { Confusion, MeasureName, UndefinedReason } from './agreement.ts'
import { AnswerValue } from './answer-value.ts'
import { defineEndpoint } from './wire/define-endpoint.ts'
import { float, int, itemsOf, printedUuid, text, uuid } from './wire/scalars.ts'

/** What the model's answers are compared with: the final answers, or what most annotators have answered. */
export const AlignmentReference = z.enum(['gold', 'majority'])
export type AlignmentReference = z.infer<typeof AlignmentReference>
/** The half of the records to compare. Prompts take their examples from `dev` only. */
export const AlignmentSplit = z.enum(['dev', 'test'])
export type AlignmentSplit = z.infer<typeof AlignmentSplit>

const Interval = z.array(z.number()).length(2)
const Label = z.union([z.string(), z.int()])
/** A share, its 95% Wilson interval, and the number of values from which the share is computed. */
const Rate = z.strictObject({ value: z.number(), interval: Interval, n: z.int() })
export type AlignmentRate = z.infer<typeof Rate>

export const QuestionAlignment = z.strictObject({
  question_id: printedUuid(),
  name: z.string(),
  /** Number of records that have both an answer from the model and a reference. */
  records: z.int(),
  /** Number of these records in which both are equal. */
  equal: z.int(),
  /** The main coefficient for this type of question, between the model and the reference. Null for text questions. */
  measure: MeasureName.nullable(),
  value: z.number().nullable(),
  /** Why the value is undefined. */
  reason: UndefinedReason.nullable(),
  /** The 95% bootstrap interval. */
  interval: Interval.nullable(),
  /** Mean similarity between the model's answers and the reference. Null if there is nothing to compare. */
  similarity: z.number().nullable(),
  /**
   * Cohen's kappa with its 95% interval. Weighted quadratically for ratings. Null for questions other than labels and ratings.
   */
  kappa: z.strictObject({ value: z.number(), interval: Interval.nullable() }).nullable(),
  /** The same coefficient between the annotators, on the same records. It shows which value can be expected of a model. */
  human: z.strictObject({
    value: z.number().nullable(),
    reason: UndefinedReason.nullable(),
    interval: Interval.nullable(),
    /** Number of compared records that have answers from several annotators. */
    records: z.int(),
  }),
  /**
   * Rows are values of the reference, and columns are values of the model. Null unless the question is a label or rating
   * question.
   */
  confusion: Confusion.nullable(),
  /**
   * Precision and recall of each label or rating, for label, rating and span questions. A span is right if the reference has a
   * span with the same label, start and end.
   */
  labels: z.array(z.strictObject({ value: Label, precision: Rate.nullable(), recall: Rate.nullable() })),
  /** How well the scores predict which values are right. Null if there are no scores. */
  calibration: z
    .strictObject({
      n: z.int(),
      /** Expected calibration error with ten bins of equal width. */
      ece: z.number(),
      brier: z.number(),
      bins: z.array(z.strictObject({ from: z.number(), to: z.number(), n: z.int(), score: z.number(), right: z.number() })),
    })
    .nullable(),
  /** Whether the model errs more often about long records. Null if it is always or never right. */
  length: z
    .strictObject({
      /**
       * The median number of characters in a record: `right` for the records that the model answered correctly, `wrong` for those
       * that it answered incorrectly.
       */
      right: z.number(),
      wrong: z.number(),
      /** The probability that a record with a wrong answer is longer than one with a right answer. */
      longer: z.number(),
      n: z.int(),
    })
    .nullable(),
  /**
   * For questions with two values: the share of the first value among the records without a reference, corrected for the model's
   * errors. Null if it can't be estimated.
   */
  corrected: z
    .strictObject({
      label: Label,
      /** The share of `label` in the model's answers, before the correction. */
      seen: z.number(),
      value: z.number(),
      interval: Interval.nullable(),
      n: z.int(),
    })
    .nullable(),
  /**
   * The alternative annotator test. It checks whether the model agrees with the other annotators about as closely as each
   * annotator does. The test needs at least three annotators. Each of them must have at least 30 records that others have
   * answered too. Null for text questions, and if there are too few annotators.
   */
  alternative: z
    .strictObject({
      /** How much worse than a person the model may be. */
      epsilon: z.number(),
      /** The share of annotators that the model can replace. */
      winning: z.number(),
      /** The mean of `model` over all annotators. */
      advantage: z.number(),
      annotators: z.array(
        z.strictObject({
          user_id: printedUuid(),
          records: z.int(),
          /**
           * `model`: the share of records on which the model agrees with the other annotators at least as closely as this person
           * does. `person`: the share of records on which this person agrees with the other annotators at least as closely as the
           * model does.
           */
          model: z.number(),
          person: z.number(),
          p: z.number(),
          beaten: z.boolean(),
        }),
      ),
    })
    .nullable(),
  /** McNemar's test of this run against another run. Null if there is no other run. */
  comparison: z
    .strictObject({
      /** Number of records that both runs answered and that have a reference. */
      records: z.int(),
      /**
       * `only_this`: for how many of `records` only this run is right. `only_other`: for how many only the other run is right.
       */
      only_this: z.int(),
      only_other: z.int(),
      p: z.number(),
    })
    .nullable(),
  /**
   * Whether the run prefers the field in one position, regardless of the field's content. Computed over all records of the run
   * for which the model compared the fields in both orders. Null if there are none.
   */
  position: z
    .strictObject({
      /** The share of records for which both orders give the same result: the run prefers the same field, or neither field. */
      same: Rate,
      /**
       * Some answers change with the order of the fields. `first`: the number of records for which the run prefers whichever
       * field comes first. `second`: the number of records for which it prefers whichever field comes second.
       */
      first: z.int(),
      second: z.int(),
      /**
       * The exact p-value for the hypothesis that the run prefers the field in first position as often as the one in second
       * position.
       */
      p: z.number(),
    })
    .nullable(),
})
export type QuestionAlignment = z.infer<typeof QuestionAlignment>

export const ModelAlignment = z.strictObject({
  against: AlignmentReference,
  split: AlignmentSplit,
  /** The number of comparisons on the test half. `run`: of this run. `dataset`: of all runs of the dataset together. */
  looks: z.strictObject({ run: z.int(), dataset: z.int() }),
  questions: z.array(QuestionAlignment),
})
export type ModelAlignment = z.infer<typeof ModelAlignment>

export const ModelDisagreement = z.strictObject({
  record_id: printedUuid(),
  /** What the model answered. */
  value: AnswerValue,
  /** The reference. */
  expected: AnswerValue,
  rationale: z.string().nullable(),
})
export type ModelDisagreement = z.infer<typeof ModelDisagreement>

const one = '/model-runs/:run_id'
const selection = { against: AlignmentReference.default('gold'), split: AlignmentSplit.default('dev') }

export const getModelAlignment = defineEndpoint({
  id: 'model_runs.alignment',
  method: 'GET',
  path: `${one}/alignment`,
  query: z.object({
    ...selection,
    /** Another run of the dataset to compare with. */
    other: uuid().optional(),
    /** How much worse than a person the model may be in the alternative annotator test. */
    epsilon: float({ ge: 0, le: 1 }).default(0.2),
  }),
  result: ModelAlignment,
  errors: [403, 404],
  addition: true,
  summary: "Compare a run's answers with the final answers or the majority answers; comparisons on the test half are counted",
})
export const listModelDisagreements = defineEndpoint({
  id: 'model_runs.disagreements',
  method: 'GET',
  path: `${one}/disagreements`,
  query: z.object({
    ...selection,
    question: text({ keep: false }),
    offset: int({ ge: 0 }).default(0),
    limit: int({ ge: 1, le: 500 }).default(50),
  }),
  result: itemsOf(ModelDisagreement),
  errors: [403, 404, 422],
  addition: true,
  summary: "List the records on which a run's answer differs from the reference, in record order",
})

export const modelAlignmentEndpoints = [getModelAlignment, listModelDisagreements] as const
