import { printAnnotationQuery } from '@postil/contract/annotation-query/annotation-search.ts'
import type { AnnotationQuery } from '@postil/contract/annotation-query/grammar.ts'
import { printQueryString } from '@postil/contract/annotation-query/query-string.ts'
import { readViewQuery } from '@postil/contract/annotation-query/view-query.ts'

/** Returns the query that a view stores: everything except the position in the list. */
export const viewQueryOf = (query: AnnotationQuery): string => {
  const page: AnnotationQuery['page'] = query.page.mode === 'bulk' ? { ...query.page, start: 1 } : { mode: 'focus', number: 1 }
  return printQueryString(printAnnotationQuery({ ...query, page })).slice(1)
}

/** Normalizes a stored query for comparison, because views that programs create may omit defaults. */
export const normalViewQuery = (viewQuery: string): string => viewQueryOf(readViewQuery(viewQuery))
