import type { Scope, ScopeInput, SearchBodyInput } from '../search.ts'
import type { AnnotationQuery, Condition, Similarity, SortKey, TextSearch } from './grammar.ts'

export type FilterInput = NonNullable<NonNullable<SearchBodyInput['filters']>['and']>[number]
type QueryInput = NonNullable<SearchBodyInput['query']>
export type RecordProperty = Extract<Scope, { entity: 'record' }>['property']

/** Filters are joined by AND, so a condition that needs all of its values becomes one filter per value. */
const filtersOf = (scope: ScopeInput, condition: Condition): readonly FilterInput[] => {
  if (condition.kind === 'range') {
    const { ge, le } = condition
    return [{ type: 'range', scope, ...(ge !== undefined && { ge }), ...(le !== undefined && { le }) }]
  }
  return condition.all
    ? condition.values.map((value) => ({ type: 'terms', scope, values: [value] }))
    : [{ type: 'terms', scope, values: [...condition.values] }]
}

const sortScopes: { readonly [E in SortKey['entity']]: (key: SortKey) => ScopeInput } = {
  // The name isn't checked here. If records have no property with this name, the server rejects the request.
  record: ({ name }) => ({ entity: 'record', property: name as RecordProperty }),
  metadata: ({ name }) => ({ entity: 'metadata', metadata_property: name }),
  suggestion: ({ name, property }) => ({ entity: 'suggestion', question: name, property: property ?? 'value' }),
  response: ({ name }) => ({ entity: 'response', question: name }),
}

export const textOf = ({ text, field }: TextSearch): QueryInput => ({ text: { q: text, ...(field !== null && { field }) } })

const vectorOf = ({ recordId, vector, order }: Similarity): QueryInput => ({
  vector: { name: vector, record_id: recordId, order: order === 'most' ? 'most_similar' : 'least_similar' },
})

/** The filters of a query, except for those that depend on whose answers are searched. */
export const contentFilters = (query: Omit<AnnotationQuery, 'page'>): readonly FilterInput[] => [
  ...query.metadata.flatMap(({ name, condition }) => filtersOf({ entity: 'metadata', metadata_property: name }, condition)),
  ...query.response.flatMap(({ name, condition }) => filtersOf({ entity: 'response', question: name }, condition)),
  ...query.suggestion.flatMap(({ name, property, condition }) =>
    filtersOf({ entity: 'suggestion', question: name, property }, condition),
  ),
]
const sortOf = (query: Omit<AnnotationQuery, 'page'>) =>
  query.sort.map((key) => ({ scope: sortScopes[key.entity](key), order: key.order }))

/**
 * Converts the search in the URL to a search for a download. The converted search covers everyone's answers and ignores the
 * status of the caller's own answer. Null if nothing is searched, filtered or sorted. Similarity isn't included, because a
 * similarity search has its own limit.
 */
export const searchOfAll = (query: Omit<AnnotationQuery, 'page'>): SearchBodyInput | null => {
  const filters = contentFilters(query)
  const sort = sortOf(query)
  if (query.search === null && filters.length === 0 && sort.length === 0) return null
  return {
    ...(query.search && { query: textOf(query.search) }),
    ...(filters.length > 0 && { filters: { and: [...filters] } }),
    ...(sort.length > 0 && { sort }),
  }
}

/** Returns the URL's search as a request body. If the status is pending, the search excludes completed records. */
export const searchBody = (query: Omit<AnnotationQuery, 'page'>): SearchBodyInput => {
  const { status, search, similarity } = query
  const ofResponse: FilterInput = { type: 'terms', scope: { entity: 'response', property: 'status' }, values: [status] }
  const ofRecord: FilterInput = { type: 'terms', scope: { entity: 'record', property: 'status' }, values: ['pending'] }
  const filters: readonly FilterInput[] = [ofResponse, ...(status === 'pending' ? [ofRecord] : []), ...contentFilters(query)]
  const sort = sortOf(query)
  return {
    ...((search || similarity) && { query: { ...(search && textOf(search)), ...(similarity && vectorOf(similarity)) } }),
    filters: { and: [...filters] },
    ...(sort.length > 0 && { sort }),
  }
}
