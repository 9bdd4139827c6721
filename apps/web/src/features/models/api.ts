import type { AlignmentReference, AlignmentSplit } from '@postil/contract/model-alignment.ts'
import type { ModelConnection, ModelConnectionInput, ModelConnectionUpdate } from '@postil/contract/model-connections.ts'
import type { ModelPreview, ModelPreviewInput, ModelRun, ModelRunInput } from '@postil/contract/model-runs.ts'
import type { Record as RecordPayload } from '@postil/contract/records.ts'
import type { QueryClient } from '@tanstack/react-query'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#lib/api/client.ts'
import { cacheDefault } from '#lib/constants.ts'
import { isRunning, notifyJobStarted } from '#lib/jobs.ts'

/** Interval between requests for the runs while a job works on one of them, in milliseconds. */
const pollInterval = 1000

export const isAtWork = ({ job }: Pick<ModelRun, 'job'>): boolean => job !== null && isRunning(job)

const runsKey = (datasetId: string) => ['dataset', datasetId, 'model-runs'] as const

export const runsQuery = (datasetId: string) =>
  queryOptions({
    queryKey: runsKey(datasetId),
    queryFn: async ({ signal }) =>
      (await call('GET /datasets/:dataset_id/model-runs', { params: { dataset_id: datasetId }, signal })).items,
    refetchInterval: ({ state }) => (state.data?.some(isAtWork) ? pollInterval : false),
  })

export const connectionsQuery = (workspaceId: string) =>
  queryOptions({
    queryKey: ['workspace', workspaceId, 'model-connections'],
    queryFn: async ({ signal }) =>
      (await call('GET /workspaces/:workspace_id/model-connections', { params: { workspace_id: workspaceId }, signal })).items,
  })

type Compared = { readonly against: AlignmentReference; readonly split: AlignmentSplit; readonly other?: string | undefined }

/**
 * How well a run's answers agree with the reference. For the test half, the figures stay cached until the run has more answers,
 * because the server counts how often they are requested.
 */
export const alignmentQuery = ({ id, answered }: ModelRun, { against, split, other }: Compared) =>
  queryOptions({
    queryKey: ['model-run', id, 'alignment', answered, against, split, other ?? null],
    queryFn: ({ signal }) =>
      call('GET /model-runs/:run_id/alignment', {
        params: { run_id: id },
        query: { against, split, ...(other !== undefined && { other }) },
        signal,
        hasTimeout: false,
      }),
    staleTime: split === 'test' ? Number.POSITIVE_INFINITY : cacheDefault,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })

export const DISAGREEMENTS = 20

export const disagreementsQuery = ({ id }: ModelRun, question: string, page: number, { against, split }: Compared) =>
  queryOptions({
    queryKey: ['model-run', id, 'disagreements', question, against, split, page],
    queryFn: async ({ signal }) =>
      (
        await call('GET /model-runs/:run_id/disagreements', {
          params: { run_id: id },
          query: { question, against, split, offset: page * DISAGREEMENTS, limit: DISAGREEMENTS },
          signal,
          hasTimeout: false,
        })
      ).items,
    staleTime: split === 'test' ? Number.POSITIVE_INFINITY : cacheDefault,
    refetchOnWindowFocus: false,
  })

/** The record at a position in the dataset, or null if there is none. */
export const recordQuery = (datasetId: string, position: number) =>
  queryOptions({
    queryKey: ['dataset', datasetId, 'record-at', position],
    queryFn: async ({ signal }): Promise<RecordPayload | null> =>
      (
        await call('GET /datasets/:dataset_id/records', {
          params: { dataset_id: datasetId },
          query: { limit: 1, offset: position },
          signal,
        })
      ).items[0] ?? null,
    staleTime: cacheDefault,
  })

/** The prompt for one record. The model is only asked if `body.ask` is true. @throws ApiError */
export const previewRun = (datasetId: string, body: ModelPreviewInput, signal?: AbortSignal): Promise<ModelPreview> =>
  call('POST /datasets/:dataset_id/model-runs/preview', { params: { dataset_id: datasetId }, body, ...(signal && { signal }) })

/** The mutations of this page. Each call rejects with ApiError on failure. After each call, the lists are requested again. */
export const modelCalls = (client: QueryClient, { datasetId, workspaceId }: { datasetId: string; workspaceId: string }) => {
  const thenRefresh = async <T>(done: Promise<T>): Promise<T> => {
    try {
      return await done
    } finally {
      await Promise.all([
        client.invalidateQueries({ queryKey: runsKey(datasetId) }),
        client.invalidateQueries(connectionsQuery(workspaceId)),
      ])
    }
  }
  const thenWatch = async (started: Promise<ModelRun>): Promise<ModelRun> => {
    const run = await thenRefresh(started)
    if (run.job !== null) notifyJobStarted(run.job)
    return run
  }
  const ofRun = (id: string) => ({ params: { run_id: id } })
  return {
    createConnection: (body: ModelConnectionInput): Promise<ModelConnection> =>
      thenRefresh(call('POST /workspaces/:workspace_id/model-connections', { params: { workspace_id: workspaceId }, body })),
    updateConnection: (id: string, body: ModelConnectionUpdate): Promise<ModelConnection> =>
      thenRefresh(call('PATCH /model-connections/:connection_id', { params: { connection_id: id }, body })),
    deleteConnection: (id: string): Promise<ModelConnection> =>
      thenRefresh(call('DELETE /model-connections/:connection_id', { params: { connection_id: id } })),
    checkConnection: (id: string) => call('POST /model-connections/:connection_id/check', { params: { connection_id: id } }),
    start: (body: ModelRunInput): Promise<ModelRun> =>
      thenWatch(call('POST /datasets/:dataset_id/model-runs', { params: { dataset_id: datasetId }, body })),
    resume: (id: string, body: { readonly spend_cap?: number | null; readonly retry_failed?: boolean }): Promise<ModelRun> =>
      thenWatch(call('POST /model-runs/:run_id/resume', { ...ofRun(id), body })),
    publish: (id: string): Promise<ModelRun> => thenWatch(call('POST /model-runs/:run_id/publish', ofRun(id))),
    unpublish: (id: string): Promise<ModelRun> => thenWatch(call('POST /model-runs/:run_id/unpublish', ofRun(id))),
    remove: (id: string): Promise<ModelRun> => thenRefresh(call('DELETE /model-runs/:run_id', ofRun(id))),
    refresh: (): Promise<unknown> => thenRefresh(Promise.resolve()),
  }
}
export type ModelCalls = ReturnType<typeof modelCalls>
