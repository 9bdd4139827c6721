import type { AnnotationQuery } from '@postil/contract/annotation-query/grammar.ts'
import { isFiltered } from '../filters/filters.ts'

/**
 * Whether the records come from the queue. The queue limits the number of people to whom it assigns a record to the number of
 * answers that the record needs. Other lists aren't divided among annotators.
 */
export const isQueueQuery = (query: AnnotationQuery): boolean =>
  query.status === 'pending' &&
  query.page.mode === 'focus' &&
  !query.search &&
  !query.similarity &&
  query.sort.length === 0 &&
  !isFiltered(query)

/** The key of the list that a URL describes: everything except the position in the list. */
export const listKey = ({ status, search, metadata, response, suggestion, sort, similarity }: AnnotationQuery): string =>
  JSON.stringify([status, search, metadata, response, suggestion, sort, similarity])
