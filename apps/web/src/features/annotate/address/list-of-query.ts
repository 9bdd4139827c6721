import type { AnnotationQuery } from '@postil/contract/annotation-query/grammar.ts'
import { isFiltered } from '../filters/filters.ts'

/**
 * Whether the records come from the queue. If a record needs two answers, the queue assigns it to at most two people at a time.
 * Other lists aren't divided among annotators.
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
