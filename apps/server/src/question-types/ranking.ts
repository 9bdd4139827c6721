import type { AnswerValue, RankingItem } from '@postil/contract/answer-value.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'
import { defineServerQuestionType, noNumbers, noTerms } from './define.ts'
import { isTexts, labelSchema } from './model-form.ts'
import { rankingSimilarity } from './similarity.ts'

type Place = { readonly value: string; readonly rank?: number | null }
const rankOf = ({ rank }: Place): number => rank ?? Number.POSITIVE_INFINITY

/** The options from first to last place. */
const inOrder = (value: JsonValue): JsonValue =>
  (value as readonly JsonValue[] as readonly Place[]).toSorted((a, b) => rankOf(a) - rankOf(b) || 0).map((one) => one.value)

/** The options in the first place. */
const first = (value: JsonValue): readonly string[] => {
  const places = value as readonly JsonValue[] as readonly Place[]
  const best = Math.min(...places.map(rankOf))
  return best === Number.POSITIVE_INFINITY ? [] : places.filter((one) => rankOf(one) === best).map((one) => one.value)
}

/** The rank of each option, in the order of `options`. Options without a rank share the last place. */
const ranksOf = (value: AnswerValue, options: readonly string[]): readonly number[] => {
  const ranks = new Map((value as readonly RankingItem[]).map((one) => [one.value, one.rank]))
  return options.map((option) => ranks.get(option) ?? options.length + 1)
}

const similarity = (a: AnswerValue, b: AnswerValue): number => {
  const options = [...new Set([a, b].flatMap((value) => (value as readonly RankingItem[]).map((one) => one.value)))]
  return rankingSimilarity(ranksOf(a, options), ranksOf(b, options))
}

/** Converts an ordered list of options to a ranking without ties. Returns anything else unchanged. */
const inPlaces = (value: unknown): unknown =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')
    ? value.map((option, i) => ({ value: option, rank: i + 1 }))
    : value

export const rankingQuestion = defineServerQuestionType({
  kind: 'ranking',
  model: {
    schema: (settings) => ({ type: 'array', items: labelSchema(settings) }),
    instruction: 'Give a list with the values of all options, from the first place to the last.',
    read: (answer) =>
      isTexts(answer)
        ? { value: answer.map((value, i) => ({ value, rank: i + 1 })), from: answer.map((_, i) => i), unmatched: 0 }
        : null,
    show: (value) => inOrder(value as unknown as JsonValue),
  },
  column: 'json',
  compared: 'order',
  similarity: () => similarity,
  rightness: () => similarity,
  chosen: first,
  suggested: inOrder,
  imported: inPlaces,
  indexed: 'nothing',
  terms: noTerms,
  numbers: noNumbers,
  sortable: { suggestions: false, responses: false },
})
