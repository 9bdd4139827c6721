import { validateAnnotationSearch } from './annotation-params.ts'
import { type AnnotationSearch, readAnnotationQuery } from './annotation-search.ts'
import type { AnnotationQuery } from './grammar.ts'
import { parseQueryString } from './query-string.ts'

/** Returns the address of a saved view. */
export const addressOf = (viewQuery: string): AnnotationSearch => validateAnnotationSearch(parseQueryString(viewQuery))

/** Parses the query that a saved view stores. Parts that the annotation screen can't read are left out. */
export const readViewQuery = (viewQuery: string): AnnotationQuery => readAnnotationQuery(addressOf(viewQuery))

/** The names of the metadata properties that a view filters or sorts by. */
export const metadataNamesIn = ({ metadata, sort }: AnnotationQuery): readonly string[] =>
  [...metadata, ...sort.filter(({ entity }) => entity === 'metadata')].map(({ name }) => name)

/** Whether a view filters or sorts by suggestions. */
export const usesSuggestions = ({ suggestion, sort }: AnnotationQuery): boolean =>
  suggestion.length > 0 || sort.some(({ entity }) => entity === 'suggestion')

/** The values of answers and suggestions that a view filters by, with the names of their questions. */
export const answerValuesIn = ({
  response,
  suggestion,
}: AnnotationQuery): readonly { readonly question: string; readonly values: readonly string[] }[] =>
  [...response, ...suggestion.filter(({ property }) => property === 'value')].flatMap(({ name, condition }) =>
    condition.kind === 'terms' ? [{ question: name, values: condition.values }] : [],
  )
