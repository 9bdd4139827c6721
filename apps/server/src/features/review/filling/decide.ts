import type { AnswerValue } from '@postil/contract/answer-value.ts'
import { comparableText } from '@postil/contract/comparable-text.ts'
import type { GoldSource } from '@postil/contract/gold.ts'
import type { GoldRule } from '@postil/contract/gold-rules.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'

export type Rule = {
  readonly rule: GoldRule
  /** How many answers a question needs. */
  readonly min: number
  /** The share of the answers, or the probability, that an answer must exceed. Not for `unanimous`. */
  readonly share: number
}
export type Decision = { readonly value: AnswerValue; readonly source: GoldSource }

/** The final answer that the annotators agree on. Null if they don't agree as the rule demands; a tie is never broken. */
export const decide = (values: readonly AnswerValue[], { rule, min, share }: Rule): Decision | null => {
  if (values.length < Math.max(min, 1)) return null
  const groups = [...Map.groupBy(values, (value) => comparableText(value as JsonValue)).values()]
  const [first, second] = groups.toSorted((a, b) => b.length - a.length)
  if (first?.[0] === undefined) return null
  const [value] = first
  if (second === undefined) return { value, source: values.length === 1 ? 'accepted' : 'unanimous' }
  const isMajority = first.length > second.length && first.length / values.length > share
  return rule === 'majority' && isMajority ? { value, source: 'majority' } : null
}
