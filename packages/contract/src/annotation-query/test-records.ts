import type { SearchBodyInput } from '../search.ts'
import type { AnnotationQuery } from './grammar.ts'
import { contentFilters, type FilterInput, type RecordProperty, textOf } from './search-body.ts'

/**
 * Returns why a view can't select test items. Filters by own answers find other records for each person who opens the view.
 * Similarity only determines an order. Null if the view can select test items.
 */
export const testRecordFault = ({ response, similarity }: AnnotationQuery): 'viewOwnAnswers' | 'viewSimilarity' | null =>
  response.length > 0 ? 'viewOwnAnswers' : similarity === null ? null : 'viewSimilarity'

/**
 * Returns the search for those records of a view that can be test items: completed records with current final answers. Leaves out
 * the parts of the view that say nothing about a record:
 * - the status and answers of the person who opens the view
 * - the order
 * - similarity
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
