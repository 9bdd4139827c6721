import type { ModelRule } from '@postil/contract/gold-rules.ts'
import type { CategoricalAnswers } from './answers.ts'
import { dawidSkene } from './dawid-skene.ts'
import { mace } from './mace.ts'
import { type Aggregation, likeliestLabels } from './posterior.ts'

export type AggregationInput = { readonly rule: ModelRule; readonly answers: CategoricalAnswers }

/** The likeliest label of each item. */
export type Aggregated = Pick<Aggregation, 'entropy' | 'accuracy'> & {
  /** -1 if two labels are equally likely. */
  readonly labels: Int32Array
  /** The probability of each item's likeliest label. */
  readonly probabilities: Float64Array
}

const models = { dawid_skene: dawidSkene, mace }

export const aggregate = ({ rule, answers }: AggregationInput): Aggregated => {
  const { posterior, entropy, accuracy } = models[rule](answers)
  const labels = likeliestLabels(posterior, answers.labelCount)
  const probabilities = Float64Array.from(labels, (label, item) => posterior[item * answers.labelCount + Math.max(label, 0)]!)
  return { labels, probabilities, entropy, accuracy }
}
