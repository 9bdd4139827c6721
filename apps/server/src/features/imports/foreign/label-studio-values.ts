import { isJsonObject, type JsonObject } from '@postil/contract/wire/json.ts'
import type { Suggested } from './define.ts'
import { isTexts, textIn } from './values.ts'

export const textsIn = (value: unknown): readonly string[] => (isTexts(value) ? value : typeof value === 'string' ? [value] : [])

/** The number of stars that is assumed if the scale of a rating isn't known. */
const STARS = 5
const scaleTo = (rating: number): readonly string[] => Array.from({ length: Math.max(STARS, rating) }, (_, i) => String(i + 1))

export const ofLabels = (labels: readonly string[]): Suggested =>
  labels.length === 1
    ? { kind: 'label_selection', value: labels[0], labels }
    : { kind: 'multi_label_selection', value: [...new Set(labels)], labels }

/** The most specific labels of a taxonomy, as paths. */
const ofTaxonomy = (value: unknown): Suggested | null => {
  const paths = Array.isArray(value) ? value.map(textsIn).filter(({ length }) => length > 0) : []
  return paths.length === 0 ? null : ofLabels(paths.map((path) => path.join(' > ')))
}

const ofRanker = (value: unknown): Suggested | null => {
  const lists = isJsonObject(value) ? Object.values(value) : []
  const [list] = lists
  return lists.length === 1 && isTexts(list) ? { kind: 'ranking', value: [...list], labels: list } : null
}

/** Readers for results with one value for the whole task. They return null for a value that no question can hold. */
export const readers: { readonly [type: string]: (value: JsonObject) => Suggested | null } = {
  choices: ({ choices }) => (textsIn(choices).length === 0 ? null : ofLabels(textsIn(choices))),
  taxonomy: ({ taxonomy }) => ofTaxonomy(taxonomy),
  rating: ({ rating }) =>
    typeof rating === 'number' && Number.isInteger(rating) ? { kind: 'rating', value: rating, labels: scaleTo(rating) } : null,
  number: ({ number }) => (typeof number === 'number' ? { kind: 'text', value: String(number), labels: [] } : null),
  textarea: ({ text }) => {
    const texts = textsIn(text)
    return texts.length === 0 ? null : { kind: 'text', value: texts.join('\n'), labels: [] }
  },
  pairwise: ({ selected }) =>
    typeof selected === 'string' ? { kind: 'label_selection', value: selected, labels: ['left', 'right'] } : null,
  ranker: ({ ranker }) => ofRanker(ranker),
}

/** The name of the user who completed an annotation. Exports contain either an ID or an object. */
export const annotatorOf = (completedBy: unknown): string | undefined => {
  if (typeof completedBy === 'number') return `user ${completedBy}`
  if (typeof completedBy === 'string') return completedBy || undefined
  if (!isJsonObject(completedBy)) return undefined
  return textIn(completedBy['email']) ?? textIn(completedBy['username']) ?? annotatorOf(completedBy['id'])
}
