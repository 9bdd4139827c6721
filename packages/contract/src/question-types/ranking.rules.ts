import type { AnswerValue, RankingItem } from '#answer-value.ts'
import { message, type Reason } from '#wire/message.ts'
import type { QuestionRules } from './define.ts'
import { type LabelChanges, offeredOptions } from './label-changes.ts'
import { notAnOption, optionValues } from './option-values.ts'

const isRanking = (value: unknown): value is readonly RankingItem[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null && 'value' in item)

/** Options that are no longer offered may be left out. */
const completeFault = (items: readonly RankingItem[], settings: RankingSettings): Reason | null => {
  const offered = offeredOptions(settings)
  const found = offered.filter(({ value }) => items.some((item) => item.value === value)).length
  if (found !== offered.length) return message('wantsEachRank', { expected: offered.length, found })
  const count = settings.options.length
  const wrong = items.find(({ rank }) => rank === null || rank < 1 || rank > count)
  return wrong ? `The rank of ${JSON.stringify(wrong.value)} must be between 1 and ${count}, found ${wrong.rank}` : null
}

/**
 * Keeps the stored ranks if the sent ranking has no ranks but the same options in the same order. The SDK sends such a ranking
 * when it returns one that it has read, because it reads rankings as lists of options.
 */
const mergeWithCurrent = (sent: AnswerValue, current: unknown): AnswerValue => {
  if (!isRanking(sent) || !isRanking(current) || sent.length !== current.length) return sent
  return sent.every(({ value, rank }, i) => rank === null && value === current[i]?.value) ? current : sent
}

/** If labels become equal, the best of their ranks is kept, and lower ranks move up. */
const replaceLabels = (value: AnswerValue, replace: (label: string) => string): AnswerValue => {
  if (!isRanking(value)) return value
  const renamed = value.map((item) => ({ ...item, value: replace(item.value) }))
  const merged = Map.groupBy(renamed, (item) => item.value)
  if (merged.size === renamed.length) return renamed
  const rankOf = ({ rank }: RankingItem) => rank ?? Number.POSITIVE_INFINITY
  const kept = [...merged.values()].map((items) => items.reduce((best, item) => (rankOf(item) < rankOf(best) ? item : best)))
  const dropped = renamed.filter((item) => !kept.includes(item))
  return kept.map((item) => {
    if (item.rank === null) return item
    const higher = dropped.filter((other) => rankOf(other) < rankOf(item)).length
    return { ...item, rank: Math.max(1, Math.min(item.rank - higher, kept.length)) }
  })
}

type RankingSettings = LabelChanges & { readonly options: readonly { readonly value: string }[] }

export const rankingRules: QuestionRules<RankingSettings> = {
  hasAgreement: true,
  needsAllLabels: true,
  check: (value, { settings, submitted }) => {
    const { options } = settings
    if (!isRanking(value)) return message('wantsRanking')
    const seen = new Set<string>()
    for (const item of value) {
      if (!optionValues(options).has(item.value)) return notAnOption(item.value, options)
      if (seen.has(item.value)) return message('wantsOnce', { value: JSON.stringify(item.value) })
      seen.add(item.value)
    }
    return submitted ? completeFault(value, settings) : null
  },
  mergeWithCurrent,
  replaceLabels,
}
