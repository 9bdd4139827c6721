import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import type { SearchBodyInput } from '@postil/contract/search.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '#lib/api/client.ts'
import { cacheDefault, cacheMedium } from '#lib/constants.ts'

/** A record in the table. */
export type Row = { readonly record: AnnotationRecord; readonly number: number }
type RowPage = { readonly rows: readonly Row[]; readonly total: number }

/** How many records one request loads. */
export const pageSize = 100

/** A page of a search over everyone's answers. */
export const rowsQuery = (datasetId: string, body: SearchBodyInput, page: number) =>
  queryOptions({
    queryKey: ['dataset', datasetId, 'records-table', body, page],
    queryFn: async ({ signal }): Promise<RowPage> => {
      const { items, total } = await call('POST /datasets/:dataset_id/records/search', {
        params: { dataset_id: datasetId },
        query: { offset: page * pageSize, limit: pageSize, include: ['responses', 'suggestions', 'agreement'] },
        body,
        signal,
      })
      return { rows: items.map(({ record, number = 0 }) => ({ record, number })), total }
    },
    staleTime: cacheDefault,
  })

/** The first page, which also gives the total. While a filter changes, the earlier rows are kept. */
export const firstRowsQuery = (datasetId: string, body: SearchBodyInput) => ({
  ...rowsQuery(datasetId, body, 0),
  placeholderData: keepPreviousData,
})

/** A record with everyone's answers, or only the caller's if the caller is an annotator. */
export const recordQuery = (id: string) =>
  queryOptions({
    queryKey: ['record', id, 'with-answers'],
    queryFn: ({ signal }) => call('GET /records/:record_id', { params: { record_id: id }, signal }),
    staleTime: cacheDefault,
  })

/** The agreement of the answers to each question of a record, keyed by question name. Empty if nothing can be measured. */
export const recordAgreementQuery = (datasetId: string, recordId: string) =>
  queryOptions({
    queryKey: ['record', recordId, 'agreement'],
    queryFn: async ({ signal }): Promise<NonNullable<AnnotationRecord['agreement']>> => {
      const { items } = await call('POST /datasets/:dataset_id/records/search', {
        params: { dataset_id: datasetId },
        query: { limit: 1, include: ['agreement'] },
        body: { filters: { and: [{ type: 'terms', scope: { entity: 'record', property: 'id' }, values: [recordId] }] } },
        signal,
      })
      return items[0]?.record.agreement ?? {}
    },
    staleTime: cacheDefault,
  })

/** All users. */
export const usersQuery = queryOptions({
  queryKey: ['people', 'all'],
  queryFn: async ({ signal }) => (await call('GET /users', { signal })).items,
  staleTime: cacheMedium,
})
