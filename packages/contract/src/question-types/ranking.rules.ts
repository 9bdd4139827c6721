import type { AnswerValue, RankingItem } from '#answer-value.ts'
import { message, type Reason } from '#wire/message.ts'
import type { QuestionRules } from './define.ts'
import { notAnOption, optionValues, type WithOptions } from './option-values.ts'

const isRanking = (value: unknown): value is readonly RankingItem[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null && 'value' in item)

const completeFault = (items: readonly RankingItem[], count: number): Reason | null => {
  if (items.length !== count) return message('wantsEachRank', { expected: count, found: items.length })
  const wrong = items.find(({ rank }) => rank === null || rank < 1 || rank > count)
  return wrong ? `The rank of ${JSON.stringify(wrong.value)} must be between 1 and ${count}, found ${wrong.rank}` : null
}

/** The SDK reads a ranking as a list of its options and sends it back in that form: without ranks, in the same order. */
const mergeWithCurrent = (sent: AnswerValue, current: unknown): AnswerValue => {
  if (!isRanking(sent) || !isRanking(current) || sent.length !== current.length) return sent
  return sent.every(({ value, rank }, i) => rank === null && value === current[i]?.value) ? current : sent
}

export const rankingRules: QuestionRules<WithOptions> = {
  hasAgreement: true,
  check: (value, { settings: { options }, submitted }) => {
    if (!isRanking(value)) return message('wantsRanking')
    const seen = new Set<string>()
    for (const item of value) {
      if (!optionValues(options).has(item.value)) return notAnOption(item.value, options)
      if (seen.has(item.value)) return message('wantsOnce', { value: JSON.stringify(item.value) })
      seen.add(item.value)
    }
    return submitted ? completeFault(value, options.length) : null
  },
  mergeWithCurrent,
}
