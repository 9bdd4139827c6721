import type { AnnotationSetup, getAnnotationSetup } from '@postil/contract/annotation-setup.ts'
import type { FetchQueryOptions, QueryClient, QueryKey } from '@tanstack/react-query'
import { call } from '#lib/api/client.ts'
import {
  datasetQuery,
  fieldsQuery,
  huesOf,
  isUnknownDataset,
  labelColoursQuery,
  questionsQuery,
  vectorsQuery,
  workspaceQuery,
} from '#lib/api/dataset-queries.ts'
import { metricsQuery, progressQuery } from './api.ts'
import { setupPath } from './first-requests.ts'

/**
 * Asks for what is shown beside the records, all of it with one request. Each part is kept by its own query, which grows old and is
 * asked for anew by itself; of a dataset that is known they do so from the start.
 */
export const prefetchSetup = (queryClient: QueryClient, datasetId: string): void => {
  const isKnown = queryClient.getQueryData(questionsQuery(datasetId).queryKey) !== undefined
  const ask = async (): Promise<AnnotationSetup> => {
    const setup = await call<typeof getAnnotationSetup>('GET', setupPath(datasetId))
    queryClient.setQueryData(workspaceQuery(setup.dataset.workspace_id).queryKey, setup.workspace)
    return setup
  }
  let asked: Promise<AnnotationSetup> | undefined
  const prefetch = <T, K extends QueryKey>(
    query: FetchQueryOptions<T, Error, T, K>,
    partOf: (setup: AnnotationSetup) => T,
  ): void => {
    const { queryFn: alone } = query
    if (isKnown || typeof alone !== 'function') return void queryClient.prefetchQuery(query)
    void queryClient.prefetchQuery({
      ...query,
      queryFn: (context) => {
        // Not before a part wants it: all of them may be on their way.
        asked ??= ask()
        return asked.then(partOf, (error: unknown) => {
          // No part of what is not there is there.
          if (isUnknownDataset(error)) throw error
          return alone(context)
        })
      },
    })
  }
  prefetch(datasetQuery(datasetId), ({ dataset }) => dataset)
  prefetch(fieldsQuery(datasetId), ({ fields }) => fields)
  prefetch(questionsQuery(datasetId), ({ questions }) => questions)
  prefetch(labelColoursQuery(datasetId), ({ label_colours }) => huesOf(label_colours))
  prefetch(vectorsQuery(datasetId), ({ vectors_settings }) => vectors_settings)
  prefetch(progressQuery(datasetId), ({ progress }) => progress)
  prefetch(metricsQuery(datasetId), ({ metrics }) => metrics)
}
