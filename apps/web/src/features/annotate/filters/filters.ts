import type { AnnotationQuery, Condition, NamedCondition, SuggestionCondition } from '#lib/url/grammar.ts'

/** What restricts a list by its records' metadata, by one's own answers and by suggestions. All of it has to hold. */
export type Filters = Pick<AnnotationQuery, 'metadata' | 'response' | 'suggestion'>
export type FilterKind = keyof Filters

/** What one filter looks at: a metadata property, or a question's answers, suggestions, their scores or their agents. */
export type FilterPlace =
  | { readonly kind: 'metadata' | 'response'; readonly name: string }
  | { readonly kind: 'suggestion'; readonly name: string; readonly property: SuggestionCondition['property'] }
export type ActiveFilter = { readonly place: FilterPlace; readonly condition: Condition }

export const noFilters: Filters = { metadata: [], response: [], suggestion: [] }

export const filtersOf = ({ metadata, response, suggestion }: Filters): Filters => ({ metadata, response, suggestion })

/** Every filter that is on, in the order of the address. */
export const activeFilters = ({ metadata, response, suggestion }: Filters): readonly ActiveFilter[] => [
  ...metadata.map(({ name, condition }): ActiveFilter => ({ place: { kind: 'metadata', name }, condition })),
  ...response.map(({ name, condition }): ActiveFilter => ({ place: { kind: 'response', name }, condition })),
  ...suggestion.map(
    ({ name, property, condition }): ActiveFilter => ({ place: { kind: 'suggestion', name, property }, condition }),
  ),
]

const isAt =
  (place: FilterPlace) =>
  (entry: NamedCondition | SuggestionCondition): boolean =>
    entry.name === place.name && (place.kind !== 'suggestion' || ('property' in entry && entry.property === place.property))

export const conditionAt = (filters: Filters, place: FilterPlace): Condition | null =>
  filters[place.kind].find(isAt(place))?.condition ?? null

/** Puts an entry where the first of its kind stands, or at the end; null takes them away. */
const replaced = <E extends NamedCondition>(entries: readonly E[], isIt: (entry: E) => boolean, next: E | null): readonly E[] => {
  const at = entries.findIndex(isIt)
  const others = entries.filter((entry) => !isIt(entry))
  if (next === null) return others
  return at < 0 ? [...others, next] : others.toSpliced(at, 0, next)
}

const restricts = (condition: Condition): boolean =>
  condition.kind === 'terms' ? condition.values.length > 0 : condition.ge !== undefined || condition.le !== undefined

/** The filters with another condition at a place; null, or one that restricts nothing, takes the filter away. */
export const withCondition = (filters: Filters, place: FilterPlace, wanted: Condition | null): Filters => {
  const condition = wanted && restricts(wanted) ? wanted : null
  const { kind, name } = place
  if (kind === 'suggestion') {
    const next = condition && { name, property: place.property, condition }
    return { ...filters, suggestion: replaced(filters.suggestion, isAt(place), next) }
  }
  return { ...filters, [kind]: replaced(filters[kind], isAt(place), condition && { name, condition }) }
}

export const isFiltered = (filters: Filters): boolean => activeFilters(filters).length > 0
