import type { JsonValue } from '@postil/contract/wire/json.ts'
import { defineServerQuestionType, noNumbers, noTerms } from './define.ts'

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

/** An ordered list of options is a ranking without ties. */
const inPlaces = (value: unknown): unknown =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')
    ? value.map((option, i) => ({ value: option, rank: i + 1 }))
    : value

export const rankingQuestion = defineServerQuestionType({
  kind: 'ranking',
  column: 'json',
  compared: 'order',
  chosen: first,
  suggested: inOrder,
  imported: inPlaces,
  indexed: 'nothing',
  terms: noTerms,
  numbers: noNumbers,
  sortable: { suggestions: false, responses: false },
})
