import type { AnswerValue, RankingItem } from '#answer-value.ts'
import type { QuestionRules } from './define.ts'
import { notAnOption, optionValues } from './option-values.ts'
import type { RankingSettings } from './ranking.ts'

const isRanking = (value: AnswerValue): value is readonly RankingItem[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'object' && 'value' in item)

const completeFault = (items: readonly RankingItem[], count: number): string | null => {
  if (items.length !== count) return `This question expects a rank for each of its ${count} options, found ${items.length}`
  const wrong = items.find(({ rank }) => rank === null || rank < 1 || rank > count)
  return wrong ? `The rank of ${JSON.stringify(wrong.value)} must be between 1 and ${count}, found ${wrong.rank}` : null
}

export const rankingRules: QuestionRules<RankingSettings> = {
  check: (value, { settings: { options }, submitted }) => {
    if (!isRanking(value)) return 'This question expects a list of ranked option values'
    const seen = new Set<string>()
    for (const item of value) {
      if (!optionValues(options).has(item.value)) return notAnOption(item.value, options)
      if (seen.has(item.value)) return `This question expects each option once, found ${JSON.stringify(item.value)} twice`
      seen.add(item.value)
    }
    return submitted ? completeFault(value, options.length) : null
  },
}
