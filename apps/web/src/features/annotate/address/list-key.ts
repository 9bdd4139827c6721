import type { AnnotationQuery } from '#lib/url/grammar.ts'

/** Names the list that an address asks for: all of it but the place in the list. */
export const listKey = ({ status, search, metadata, response, suggestion, sort, similarity }: AnnotationQuery): string =>
  JSON.stringify([status, search, metadata, response, suggestion, sort, similarity])
