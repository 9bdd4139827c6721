import type { SearchBodyInput } from '../search.ts'
import type { AnnotationQuery } from './grammar.ts'
import { contentFilters, type FilterInput, type RecordProperty, textOf } from './search-body.ts'

/**
 * Which part of a view depends on its reader, or has no meaning for a set of records, so that the view can't select test items.
 * Null if there is none.
 */
export const testRecordFault = ({ response, similarity }: AnnotationQuery): 'viewOwnAnswers' | 'viewSimilarity' | null =>
  response.length > 0 ? 'viewOwnAnswers' : similarity === null ? null : 'viewSimilarity'

/**
 * Returns the search for the records of a view that can be test items: completed records with current final answers. Without the
 * parts of the view that say nothing about a record: the reader's own status and answers, the order, and similarity.
 */
export const testRecordSearch = (query: Omit<AnnotationQuery, 'page'>): SearchBodyInput => {
  const isRecord = (property: RecordProperty, value: string): FilterInput => ({
    type: 'terms',
    scope: { entity: 'record', property },
    values: [value],
  })
  const filters = [isRecord('status', 'completed'), isRecord('review', 'final'), ...contentFilters({ ...query, response: [] })]
  return { ...(query.search && { query: textOf(query.search) }), filters: { and: filters } }
}
