import type { AnswerValue } from '@postil/contract/answer-value.ts'
import { comparedFields } from '@postil/contract/comparison-sides.ts'
import type { FieldRow, QuestionRow } from '#features/schema/public.ts'
import { comparedBy } from '../runs/both-orders.ts'
import { mcnemar, type Rate, rateOf } from './figures.ts'

/**
 * The two values that a run gave to a record: one with the fields in the record's order, and one with the fields swapped. Both
 * values are stored as answers about the unswapped record.
 */
export type Orders = readonly [inOrder: AnswerValue, swapped: AnswerValue]

export type PositionBias = { readonly same: Rate; readonly first: number; readonly second: number; readonly p: number }

/**
 * Whether a run prefers a position (Zheng et al., 2023, Judging LLM-as-a-judge with MT-bench and Chatbot Arena). If a run prefers
 * different fields in the two orders, it has preferred the same position twice. The p-value comes from McNemar's exact test.
 * @param fields the fields in the order in which prompts show them @returns null if no record was asked about in both orders
 */
export const positionBias = (
  question: QuestionRow,
  orders: readonly Orders[],
  fields: readonly Pick<FieldRow, 'name'>[],
): PositionBias | null => {
  const compare = comparedBy(question)
  if (compare === null) return null
  const compared = comparedFields(compare)
  const first = fields.find(({ name }) => compared.includes(name))?.name
  const preferredBy = (value: AnswerValue): string | undefined => (typeof value === 'string' ? compare.options[value] : undefined)
  const preferred = orders.map(([inOrder, swapped]) => [preferredBy(inOrder), preferredBy(swapped)] as const)
  const same = rateOf(preferred.filter(([inOrder, swapped]) => inOrder === swapped).length, preferred.length)
  if (same === null) return null
  const changed = preferred.filter(([inOrder, swapped]) => inOrder && swapped && inOrder !== swapped)
  const firsts = changed.filter(([inOrder]) => inOrder === first).length
  const seconds = changed.length - firsts
  return { same, first: firsts, second: seconds, p: mcnemar(firsts, seconds) }
}
