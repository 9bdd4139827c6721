import type { AnnotationSetup } from '@postil/contract/annotation-setup.ts'
import type { FetchQueryOptions, QueryClient, QueryKey } from '@tanstack/react-query'
import { call } from '#lib/api/client.ts'
import {
  datasetQuery,
  fieldsQuery,
  huesOf,
  isUnknownDataset,
  labelColoursQuery,
  questionsQuery,
  searchSettingsQuery,
  suggestionSettingsQuery,
  vectorsQuery,
  workspaceQuery,
} from '#lib/api/dataset-queries.ts'
import { metricsQuery, progressQuery, textChangesQuery } from '../api.ts'
import { setupRequest } from '../queue/first-requests.ts'

/**
 * Loads everything except the records in one request. Each part is stored under its own query, so it becomes stale and is
 * refetched separately. If the dataset's questions are already cached, each query sends its own request from the start.
 */
export const prefetchSetup = (queryClient: QueryClient, datasetId: string): void => {
  const isKnown = queryClient.getQueryData(questionsQuery(datasetId).queryKey) !== undefined
  const ask = async (): Promise<AnnotationSetup> => {
    const { route, ...request } = setupRequest(datasetId)
    const setup = await call(route, request)
    queryClient.setQueryData(workspaceQuery(setup.dataset.workspace_id).queryKey, setup.workspace)
    return setup
  }
  let request: Promise<AnnotationSetup> | undefined
  const prefetch = <T, K extends QueryKey>(
    query: FetchQueryOptions<T, Error, T, K>,
    partOf: (setup: AnnotationSetup) => T,
  ): void => {
    const { queryFn: ownQueryFn } = query
    if (isKnown || typeof ownQueryFn !== 'function') return void queryClient.prefetchQuery(query)
    void queryClient.prefetchQuery({
      ...query,
      queryFn: (context) => {
        // Sends the request when the first query needs it. If all queries are already in flight, no request is sent.
        request ??= ask()
        return request.then(partOf, (error: unknown) => {
          // If the dataset does not exist, neither do its parts.
          if (isUnknownDataset(error)) throw error
          return ownQueryFn(context)
        })
      },
    })
  }
  prefetch(datasetQuery(datasetId), ({ dataset }) => dataset)
  prefetch(fieldsQuery(datasetId), ({ fields }) => fields)
  prefetch(questionsQuery(datasetId), ({ questions }) => questions)
  prefetch(labelColoursQuery(datasetId), ({ label_colours }) => huesOf(label_colours))
  prefetch(vectorsQuery(datasetId), ({ vectors_settings }) => vectors_settings)
  prefetch(searchSettingsQuery(datasetId), ({ search_settings }) => search_settings)
  prefetch(suggestionSettingsQuery(datasetId), ({ suggestion_settings }) => suggestion_settings)
  prefetch(progressQuery(datasetId), ({ progress }) => progress)
  prefetch(metricsQuery(datasetId), ({ metrics }) => metrics)
  prefetch(textChangesQuery(datasetId), ({ text_changes }) => text_changes)
}
