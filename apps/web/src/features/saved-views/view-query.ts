import { validateAnnotationSearch } from '#lib/url/annotation-params.ts'
import type { AnnotationSearch } from '#lib/url/annotation-search.ts'
import { printAnnotationQuery, readAnnotationQuery } from '#lib/url/annotation-search.ts'
import type { AnnotationQuery } from '#lib/url/grammar.ts'
import { parseQueryString, printQueryString } from '#lib/url/query-string.ts'

/** Returns the query that a view stores: everything except the position in the list. */
export const viewQueryOf = (query: AnnotationQuery): string => {
  const page: AnnotationQuery['page'] = query.page.mode === 'bulk' ? { ...query.page, start: 1 } : { mode: 'focus', number: 1 }
  return printQueryString(printAnnotationQuery({ ...query, page })).slice(1)
}

/** Returns the address of a view. */
export const addressOf = (viewQuery: string): AnnotationSearch => validateAnnotationSearch(parseQueryString(viewQuery))

/** Normalizes a stored query for comparison, because views that programs create may omit defaults. */
export const normalViewQuery = (viewQuery: string): string => viewQueryOf(readAnnotationQuery(addressOf(viewQuery)))
