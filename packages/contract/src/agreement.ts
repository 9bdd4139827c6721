import { z } from 'zod'
import { searchText } from './search.ts'
import { defineEndpoint } from './wire/define-endpoint.ts'
import { idsQuery } from './wire/query-lists.ts'
import { bool, int, printedDatetime, printedUuid, text } from './wire/scalars.ts'

/** Why a coefficient is undefined. */
export const UndefinedReason = z.enum(['one_annotator', 'no_overlap', 'no_variation', 'too_many_values'])
export type UndefinedReason = z.infer<typeof UndefinedReason>

/** All coefficients. Their definitions are in `docs/wire-additions.md`. */
export const MeasureName = z.enum([
  'alpha_nominal',
  'alpha_ordinal',
  'alpha_interval',
  'alpha_jaccard',
  'alpha_masi',
  'alpha_tree',
  'alpha_spans',
  'alpha_nominal_first',
  'tau_b',
  'kendall_w',
  'gwet_ac1',
  'gwet_ac2',
  'percent_agreement',
  'mean_absolute_difference',
  'equal_share',
  'edit_similarity',
  'f1_exact',
  'f1_overlap',
  'label_agreement',
])
export type MeasureName = z.infer<typeof MeasureName>

const share = () => z.number().nullable()
const AnswerLabel = z.union([z.string(), z.int()])

export const QuestionAgreement = z.strictObject({
  question_id: printedUuid(),
  name: z.string(),
  /** The main coefficient for this type of question. Null for text questions, which have no coefficient. */
  measure: MeasureName.nullable(),
  value: z.number().nullable(),
  /** Why the value is undefined. */
  reason: UndefinedReason.nullable(),
  /** The 95% bootstrap interval. */
  interval: z.array(z.number()).length(2).nullable(),
  /** Observed and expected agreement: value = (observed − expected) / (1 − expected). */
  observed: share(),
  expected: share(),
  /** Number of records with at least two answers. The coefficients are computed from these records. */
  units: z.int(),
  /** Number of records with one answer. */
  units_single: z.int(),
  answers: z.int(),
  /** Number of people with answers. */
  raters: z.int(),
  secondary: z.array(z.strictObject({ measure: MeasureName, value: z.number().nullable(), reason: UndefinedReason.nullable() })),
  labels: z.array(z.strictObject({ value: AnswerLabel, alpha: z.number().nullable(), count: z.int() })),
  users: z.array(
    z.strictObject({
      user_id: printedUuid(),
      answers: z.int(),
      with_others: share(),
      with_gold: share(),
      gold_n: z.int(),
    }),
  ),
  pairs: z.array(
    z.strictObject({
      users: z.array(printedUuid()).length(2),
      units: z.int(),
      observed: z.number(),
      kappa: z.number().nullable(),
    }),
  ),
  /** Number of pairs that are not listed. */
  pairs_left_out: z.int(),
})
export type QuestionAgreement = z.infer<typeof QuestionAgreement>

export const Agreement = z.strictObject({
  /** When the answers were read. */
  as_of: printedDatetime(),
  cost_ms: z.int(),
  questions: z.array(QuestionAgreement),
})
export type Agreement = z.infer<typeof Agreement>

export const Confusion = z.strictObject({
  /** The values of user `a` are the rows, and the values of user `b` are the columns. `a` and `b` are query parameters. */
  rows: z.array(AnswerLabel),
  columns: z.array(AnswerLabel),
  counts: z.array(z.array(z.int())),
})
export type Confusion = z.infer<typeof Confusion>

export const getAgreement = defineEndpoint({
  id: 'agreement.dataset',
  method: 'GET',
  path: '/datasets/:dataset_id/agreement',
  query: z.object({
    search: searchText.optional(),
    /** Compare only these users. */
    user_ids: idsQuery().optional(),
    raters: text({ keep: false }).default('humans'),
    /** Compare only answers that have changed since this time. */
    since: text({ keep: false }).optional(),
    /**
     * Compare only answers that were given under this version of the labels and guidelines. 0 is the time before the first
     * version.
     */
    version: int({ ge: 0 }).optional(),
    /** Compute again, even if the last result is recent. */
    fresh: bool().default(false),
  }),
  result: Agreement,
  errors: [403, 404],
  addition: true,
  summary: 'Measure the agreement between annotators by question',
})

export const getConfusion = defineEndpoint({
  id: 'agreement.confusion',
  method: 'GET',
  path: '/questions/:question_id/agreement/confusion',
  query: z.object({ a: text({ keep: false }), b: text({ keep: false }) }),
  result: Confusion,
  errors: [403, 404],
  addition: true,
  summary: 'Count how often two users gave each pair of values to the same record',
})

export const agreementEndpoints = [getAgreement, getConfusion] as const
