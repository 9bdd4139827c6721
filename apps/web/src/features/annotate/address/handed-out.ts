import type { AnnotationQuery } from '#lib/url/grammar.ts'
import { isFiltered } from '../filters/filters.ts'

/**
 * Whether records come from the queue, which hands each to as many people as its answers are wanted of. A list that was asked for in some
 * other way, or an old address of a place in it, is everybody's to read.
 */
export const isHandedOut = (query: AnnotationQuery): boolean =>
  query.status === 'pending' &&
  query.page.mode === 'focus' &&
  query.page.number === 1 &&
  !query.search &&
  !query.similarity &&
  query.sort.length === 0 &&
  !isFiltered(query)
