import type { getProgress } from '@postil/contract/progress.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call, path } from '#lib/api/client.ts'
import { importPollPause } from '#lib/constants.ts'
import type { Asked } from './first-records.ts'
import { isEnough, notAsked } from './first-records.ts'

/** Asks how many records the dataset has, some times and no more. @param jobId the import that is waited for; each is waited for anew */
const firstRecordsQuery = (datasetId: string, jobId: string | null) =>
  queryOptions({
    queryKey: ['dataset', datasetId, 'first-records', jobId],
    queryFn: async ({ client, queryKey, signal }): Promise<Asked> => {
      const { polls, total } = client.getQueryData<Asked>(queryKey) ?? notAsked
      // One that does not get through is one that has found nothing more.
      const found = await call<typeof getProgress>('GET', path('/api/v1/datasets', datasetId, 'progress'), { signal }).catch(
        () => ({ total }),
      )
      return { polls: polls + 1, total: found.total }
    },
    enabled: jobId !== null,
    refetchInterval: ({ state }) => (isEnough(state.data ?? notAsked) ? false : importPollPause),
    // What counts is how often it was asked: nothing else is to ask.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })

/** Whether the first records of an import are still waited for. @param jobId the import that goes on; null: none does */
export const useImportWait = (datasetId: string, jobId: string | null): boolean => {
  const { data = notAsked } = useQuery(firstRecordsQuery(datasetId, jobId))
  return jobId !== null && !isEnough(data)
}
