import type { ModelProperties } from './api.ts'

/** The endings of two names after their common prefix. Null if one name is a prefix of the other. */
const endsOf = ([first, second]: readonly [string, string]): readonly [string, string] | null => {
  let at = 0
  while (at < first.length && first[at] === second[at]) at += 1
  return at === first.length || at === second.length ? null : [first.slice(at), second.slice(at)]
}

/**
 * The two metadata properties that probably name the models. Their names differ in the same way as the names of the compared
 * fields, like `model_a` and `model_b` for `response_a` and `response_b`. Null if there are none.
 */
export const likelyProperties = (fields: readonly [string, string], properties: readonly string[]): ModelProperties | null => {
  const ends = endsOf(fields)
  if (ends === null) return null
  for (const first of properties) {
    if (!first.endsWith(ends[0])) continue
    const second = first.slice(0, first.length - ends[0].length) + ends[1]
    if (properties.includes(second)) return { first, second }
  }
  return null
}
