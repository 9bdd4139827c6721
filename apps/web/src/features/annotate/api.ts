import type { getDataset } from '@postil/contract/datasets.ts'
import type { listFields } from '@postil/contract/fields.ts'
import type { getMyMetrics, getProgress } from '@postil/contract/progress.ts'
import type { listQuestions } from '@postil/contract/questions.ts'
import type { Record as AnnotationRecord, getRecord } from '@postil/contract/records.ts'
import type { SearchBodyInput, searchMyRecords } from '@postil/contract/search.ts'
import type { getWorkspace } from '@postil/contract/workspace-endpoints.ts'
import { queryOptions } from '@tanstack/react-query'
import { call, path } from '#lib/api/client.ts'
import type { AnnotationQuery } from '#lib/url/grammar.ts'

const datasets = '/api/v1/datasets'
const mine = '/api/v1/me/datasets'

/** What a dataset is made of changes seldom, and only through its settings. */
const schemaStaleTime = 60_000

export const datasetQuery = (id: string) =>
  queryOptions({
    queryKey: ['dataset', id],
    queryFn: ({ signal }) => call<typeof getDataset>('GET', path(datasets, id), { signal }),
    staleTime: schemaStaleTime,
  })

export const fieldsQuery = (id: string) =>
  queryOptions({
    queryKey: ['dataset', id, 'fields'],
    queryFn: async ({ signal }) => (await call<typeof listFields>('GET', path(datasets, id, 'fields'), { signal })).items,
    staleTime: schemaStaleTime,
  })

export const questionsQuery = (id: string) =>
  queryOptions({
    queryKey: ['dataset', id, 'questions'],
    queryFn: async ({ signal }) => (await call<typeof listQuestions>('GET', path(datasets, id, 'questions'), { signal })).items,
    staleTime: schemaStaleTime,
  })

export const workspaceQuery = (id: string) =>
  queryOptions({
    queryKey: ['workspace', id],
    queryFn: ({ signal }) => call<typeof getWorkspace>('GET', path('/api/v1/workspaces', id), { signal }),
    staleTime: schemaStaleTime,
  })

export const metricsQuery = (id: string) =>
  queryOptions({
    queryKey: ['dataset', id, 'my-metrics'],
    queryFn: async ({ signal }) => (await call<typeof getMyMetrics>('GET', path(mine, id, 'metrics'), { signal })).responses,
  })

export const progressQuery = (id: string) =>
  queryOptions({
    queryKey: ['dataset', id, 'progress'],
    queryFn: ({ signal }) => call<typeof getProgress>('GET', path(datasets, id, 'progress'), { signal }),
  })

export type RecordPage = { readonly records: readonly AnnotationRecord[]; readonly total: number }

/** A page of the caller's own search, with the caller's answers and all suggestions. @throws ApiError */
export const searchRecords = async (
  datasetId: string,
  body: SearchBodyInput,
  page: { readonly offset: number; readonly limit: number },
): Promise<RecordPage> => {
  const query = { ...page, include: ['responses', 'suggestions'] }
  const { items, total } = await call<typeof searchMyRecords>('POST', path(mine, datasetId, 'records', 'search'), { query, body })
  return { records: items.map((item) => item.record), total }
}

const firstPageLimit = 10

/** The page that a list begins with, so that it can be asked for before the code that shows it is there. */
export const firstPageQuery = (datasetId: string, body: SearchBodyInput, { page }: Pick<AnnotationQuery, 'page'>) => {
  const offset = (page.mode === 'focus' ? page.number : page.start) - 1
  return queryOptions({
    queryKey: ['dataset', datasetId, 'first-page', body, offset],
    queryFn: () => searchRecords(datasetId, body, { offset, limit: firstPageLimit }),
    // Taken once: the list changes with every answer.
    staleTime: 0,
    gcTime: 10_000,
  })
}

/** One record by its id, with the caller's answer. @throws ApiError */
export const fetchRecord = (id: string): Promise<AnnotationRecord> => call<typeof getRecord>('GET', path('/api/v1/records', id))
