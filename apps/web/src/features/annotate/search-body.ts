import type { SearchBodyInput } from '@postil/contract/search.ts'
import type { AnnotationQuery } from '#lib/url/grammar.ts'

type FilterInput = NonNullable<NonNullable<SearchBodyInput['filters']>['and']>[number]

/** What the address asks for, as the wire asks for it. Records that are complete leave the queue of those that are pending. */
export const searchBody = ({ status, search }: Pick<AnnotationQuery, 'status' | 'search'>): SearchBodyInput => {
  const ofResponse: FilterInput = { type: 'terms', scope: { entity: 'response', property: 'status' }, values: [status] }
  const ofRecord: FilterInput = { type: 'terms', scope: { entity: 'record', property: 'status' }, values: ['pending'] }
  return {
    ...(search && { query: { text: { q: search.text, ...(search.field !== null && { field: search.field }) } } }),
    filters: { and: status === 'pending' ? [ofResponse, ofRecord] : [ofResponse] },
  }
}
