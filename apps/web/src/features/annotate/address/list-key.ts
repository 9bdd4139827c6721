import type { AnnotationQuery } from '#lib/url/grammar.ts'

/** The key of the list that a URL describes: everything except the position in the list. */
export const listKey = ({ status, search, metadata, response, suggestion, sort, similarity }: AnnotationQuery): string =>
  JSON.stringify([status, search, metadata, response, suggestion, sort, similarity])
