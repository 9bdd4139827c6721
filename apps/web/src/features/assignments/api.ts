import type { AssigneeSummary, AssignInput, RecordAssignments } from '@postil/contract/assignments.ts'
import type { Job } from '@postil/contract/jobs.ts'
import type { SearchBodyInput } from '@postil/contract/search.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#lib/api/client.ts'
import { cacheCounts, cacheDefault } from '#lib/constants.ts'

export type Target = { readonly search: SearchBodyInput; readonly except_ids?: string[] } | { readonly record_ids: string[] }

/** A change to the assignments of a dataset. */
export type Change =
  | { readonly do: 'assign'; readonly body: AssignInput }
  | { readonly do: 'unassign'; readonly body: Target }
  | { readonly do: 'move'; readonly body: { readonly from_user_id: string; readonly to_user_ids: string[] } }
  | { readonly do: 'undo'; readonly jobId: string }

/** Starts a change. A change to only a few records is already finished when the promise resolves. @throws ApiError */
export const startChange = (datasetId: string, change: Change): Promise<Job> => {
  const params = { dataset_id: datasetId }
  if (change.do === 'assign') return call('POST /datasets/:dataset_id/assignments', { params, body: change.body })
  if (change.do === 'unassign') return call('POST /datasets/:dataset_id/assignments/remove', { params, body: change.body })
  if (change.do === 'move') return call('POST /datasets/:dataset_id/assignments/move', { params, body: change.body })
  return call('POST /datasets/:dataset_id/assignments/:job_id/undo', { params: { ...params, job_id: change.jobId } })
}

const ofDataset = (datasetId: string) => ['dataset', datasetId, 'assignments'] as const

/** The counts of everyone's assignments. */
export const assigneesQuery = (datasetId: string) =>
  queryOptions({
    queryKey: [...ofDataset(datasetId), 'people'],
    queryFn: async ({ signal }): Promise<readonly AssigneeSummary[]> =>
      (await call('GET /datasets/:dataset_id/assignments', { params: { dataset_id: datasetId }, signal })).items,
    staleTime: cacheCounts,
  })

/** The people to whom the given records are assigned, keyed by record ID. */
export const recordAssigneesQuery = (datasetId: string, recordIds: readonly string[]) =>
  queryOptions({
    queryKey: [...ofDataset(datasetId), 'records', recordIds],
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, RecordAssignments['users']>> => {
      const { items } = await call('GET /datasets/:dataset_id/assignments/records', {
        params: { dataset_id: datasetId },
        query: { ids: recordIds.join() },
        signal,
      })
      return new Map(items.map(({ record_id, users }) => [record_id, users]))
    },
    enabled: recordIds.length > 0,
    staleTime: cacheDefault,
  })

/** The key prefixes of all queries that a change to assignments affects. */
export const affectedKeys = (datasetId: string): readonly (readonly string[])[] => [
  ofDataset(datasetId),
  ['dataset', datasetId, 'records-table'],
  ['dataset', datasetId, 'my-metrics'],
  ['my-assignments'],
  ['home'],
]
