import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '#lib/api/client.ts'
import { importPollInterval, importPollsMax, importRecordsEnough } from '#lib/constants.ts'

/** How many times the first records of an import were requested, and how many records the dataset had at the last request. */
type PollState = { readonly polls: number; readonly total: number }
const noPolls: PollState = { polls: 0, total: 0 }

/** Whether to stop waiting, because there are enough records to work on or too many requests have been made. */
export const isDonePolling = ({ polls, total }: PollState): boolean => total >= importRecordsEnough || polls >= importPollsMax

/**
 * Requests the record count of a dataset a limited number of times. @param jobId the import to wait for; each import has its
 * own limit
 */
const firstRecordsQuery = (datasetId: string, jobId: string | null) =>
  queryOptions({
    queryKey: ['dataset', datasetId, 'first-records', jobId],
    queryFn: async ({ client, queryKey, signal }): Promise<PollState> => {
      const { polls, total } = client.getQueryData<PollState>(queryKey) ?? noPolls
      // A failed request is treated as if it had found no new records.
      const found = await call('GET /datasets/:dataset_id/progress', { params: { dataset_id: datasetId }, signal }).catch(() => ({
        total,
      }))
      return { polls: polls + 1, total: found.total }
    },
    enabled: jobId !== null,
    refetchInterval: ({ state }) => (isDonePolling(state.data ?? noPolls) ? false : importPollInterval),
    // The number of requests is limited. Only the interval may trigger a request.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })

/** Whether the page still waits for the first records of an import. @param jobId the running import, or null */
export const useWaitForImport = (datasetId: string, jobId: string | null): boolean => {
  const { data = noPolls } = useQuery(firstRecordsQuery(datasetId, jobId))
  return jobId !== null && !isDonePolling(data)
}
