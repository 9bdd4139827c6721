import type { AnnotationQuery } from '@postil/contract/annotation-query/grammar.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { fieldFaults } from '#lib/api/field-faults.ts'
import { isFiltered } from './filters.ts'

/** Whether the server rejected only URL parameters, such as the position of the page, but not the search. */
const isPageFault = (problem: ApiError): boolean => {
  const faults = fieldFaults(problem)
  return faults.length > 0 && faults.every(({ loc }) => loc[0] === 'query')
}

/** Whether a list failed to load because of its search, filters or sorting. */
export const isRejectedQuery = (problem: unknown, query: AnnotationQuery): boolean =>
  problem instanceof ApiError &&
  problem.status === 422 &&
  (query.search !== null || query.similarity !== null || query.sort.length > 0 || isFiltered(query)) &&
  !isPageFault(problem)
