import type { AnnotationQuery } from '@postil/contract/annotation-query/grammar.ts'

/** A change to the query: the new values, or a function that computes them from the current query. */
export type QueryChange = Partial<AnnotationQuery> | ((now: AnnotationQuery) => Partial<AnnotationQuery>)
