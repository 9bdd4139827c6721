import type {
  AnnotationQuery,
  Condition,
  NamedCondition,
  SuggestionCondition,
} from '@postil/contract/annotation-query/grammar.ts'

/** A list's filters by metadata, by the user's own answers and by suggestions. Records must match all of them. */
export type Filters = Pick<AnnotationQuery, 'metadata' | 'response' | 'suggestion'>
export type FilterKind = keyof Filters

/**
 * The target of a filter: a metadata property, the answers to a question, its suggestions, or the scores or agents of these
 * suggestions.
 */
export type FilterPlace =
  | { readonly kind: 'metadata' | 'response'; readonly name: string }
  | { readonly kind: 'suggestion'; readonly name: string; readonly property: SuggestionCondition['property'] }
type ActiveFilter = { readonly place: FilterPlace; readonly condition: Condition }

export const noFilters: Filters = { metadata: [], response: [], suggestion: [] }

/** A change to a query. It removes the search and all filters, so that the query matches all records. */
export const noRestrictions = { ...noFilters, search: null, similarity: null } as const

export const filtersOf = ({ metadata, response, suggestion }: Filters): Filters => ({ metadata, response, suggestion })

/** Returns all active filters, in the order of the URL. */
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

/** Replaces the first matching entry or appends a new one, and removes other matches. Null removes all matches. */
const replaceCondition = <E extends NamedCondition>(
  entries: readonly E[],
  isIt: (entry: E) => boolean,
  next: E | null,
): readonly E[] => {
  const at = entries.findIndex(isIt)
  const others = entries.filter((entry) => !isIt(entry))
  if (next === null) return others
  return at < 0 ? [...others, next] : others.toSpliced(at, 0, next)
}

const isRestricting = (condition: Condition): boolean =>
  condition.kind === 'terms' ? condition.values.length > 0 : condition.ge !== undefined || condition.le !== undefined

/**
 * Returns the filters with the condition for one target replaced. If the condition is null or restricts nothing, the target's
 * filter is removed.
 */
export const withCondition = (filters: Filters, place: FilterPlace, wanted: Condition | null): Filters => {
  const condition = wanted && isRestricting(wanted) ? wanted : null
  const { kind, name } = place
  if (kind === 'suggestion') {
    const next = condition && { name, property: place.property, condition }
    return { ...filters, suggestion: replaceCondition(filters.suggestion, isAt(place), next) }
  }
  return { ...filters, [kind]: replaceCondition(filters[kind], isAt(place), condition && { name, condition }) }
}

export const isFiltered = (filters: Filters): boolean => activeFilters(filters).length > 0
