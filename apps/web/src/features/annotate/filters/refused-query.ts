import { ApiError } from '#lib/api/api-error.ts'
import { fieldFaults } from '#lib/api/field-faults.ts'
import type { AnnotationQuery } from '#lib/url/grammar.ts'
import { isFiltered } from './filters.ts'

/** Whether what the server refuses is what stands in the address of the request, as the place of a page, and not what is searched. */
const isOfPage = (problem: ApiError): boolean => {
  const faults = fieldFaults(problem)
  return faults.length > 0 && faults.every(({ loc }) => loc[0] === 'query')
}

/** Whether a list could not be read because of what is searched, filtered or sorted by. */
export const isRefusedQuery = (problem: unknown, query: AnnotationQuery): boolean =>
  problem instanceof ApiError &&
  problem.status === 422 &&
  (query.search !== null || query.similarity !== null || query.sort.length > 0 || isFiltered(query)) &&
  !isOfPage(problem)
