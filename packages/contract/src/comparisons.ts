import { z } from 'zod'
import { defineEndpoint } from './wire/define-endpoint.ts'
import { printedUuid, text } from './wire/scalars.ts'

export const maxComparedModels = 50

const share = z.strictObject({ value: z.number(), low: z.number(), high: z.number() })

export const RankedModel = z.strictObject({
  name: z.string(),
  wins: z.int(),
  losses: z.int(),
  ties: z.int(),
  /**
   * The probability of winning against an average model, estimated with the Bradley–Terry model. Null if the comparisons don't
   * connect the model with the ranked models in both directions. `interval` is the 95% interval. It is null if the score is null
   * or if the interval can't be estimated.
   */
  score: z.number().nullable(),
  interval: z.strictObject({ low: z.number(), high: z.number() }).nullable(),
})
export type RankedModel = z.infer<typeof RankedModel>

export const ComparisonReport = z.strictObject({
  question_id: printedUuid(),
  name: z.string(),
  /** The number of submitted answers. */
  answers: z.int(),
  /** How many answers prefer each field. */
  fields: z.array(z.strictObject({ name: z.string(), preferred: z.int() })),
  ties: z.int(),
  both_bad: z.int(),
  /**
   * How often the preferred field was the one that was shown first. Counts only answers that prefer a field, and only if the
   * order in which the fields were shown is known. `share` has a 95% interval. `share` is null if there are no such answers.
   */
  sides: z.strictObject({ answers: z.int(), first: z.int(), share: share.nullable() }),
  /**
   * The models that are named in the metadata properties. The best model is first, and models without a rank are last. Null if no
   * properties were requested. `comparisons` is the number of answers to records that name two different models. `left_out` is
   * the number of other answers.
   */
  models: z.strictObject({ comparisons: z.int(), left_out: z.int(), ranking: z.array(RankedModel) }).nullable(),
})
export type ComparisonReport = z.infer<typeof ComparisonReport>

const property = text({ min: 1, keep: false }).optional()

export const getComparisons = defineEndpoint({
  id: 'comparisons.report',
  method: 'GET',
  path: '/datasets/:dataset_id/comparisons',
  query: z.object({
    /**
     * The metadata properties that contain the names of the compared models. `first` names the model of the first field, `second`
     * that of the second field.
     */
    first: property,
    second: property,
  }),
  result: z.strictObject({ items: z.array(ComparisonReport) }),
  errors: [403, 404],
  addition: true,
  summary: 'Report the answers to comparison questions: preferred fields, side bias and a ranking of models',
})

export const comparisonEndpoints = [getComparisons] as const
