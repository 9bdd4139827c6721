import { validateAnnotationSearch } from '#lib/url/annotation-params.ts'
import type { AnnotationSearch } from '#lib/url/annotation-search.ts'
import { printAnnotationQuery, readAnnotationQuery } from '#lib/url/annotation-search.ts'
import type { AnnotationQuery } from '#lib/url/grammar.ts'
import { parseQueryString, printQueryString } from '#lib/url/query-string.ts'

/** What a view keeps of what is shown: everything but the place in the list. */
export const viewQueryOf = (query: AnnotationQuery): string => {
  const page: AnnotationQuery['page'] = query.page.mode === 'bulk' ? { ...query.page, start: 1 } : { mode: 'focus', number: 1 }
  return printQueryString(printAnnotationQuery({ ...query, page })).slice(1)
}

/** The address that a view stands for. */
export const addressOf = (viewQuery: string): AnnotationSearch => validateAnnotationSearch(parseQueryString(viewQuery))

/** The same in the words that the page prints, for comparing: views of programs may leave out what is usual. */
export const normalViewQuery = (viewQuery: string): string => viewQueryOf(readAnnotationQuery(addressOf(viewQuery)))
