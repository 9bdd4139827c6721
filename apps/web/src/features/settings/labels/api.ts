import type { LabelChangeInput, SchemaPlan, SchemaVersion } from '@postil/contract/schema-versions.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#lib/api/client.ts'
import { isRunning } from '#lib/jobs.ts'

const pollInterval = 1000

/** Label changes, newest first. Refetched while one of them is being applied to stored answers. */
export const schemaVersionsQuery = (datasetId: string) =>
  queryOptions({
    queryKey: ['dataset', datasetId, 'schema-versions'],
    queryFn: async ({ signal }) =>
      (await call('GET /datasets/:dataset_id/schema-versions', { params: { dataset_id: datasetId }, signal })).items,
    refetchInterval: ({ state }) => (state.data?.some(({ job }) => job !== null && isRunning(job)) ? pollInterval : false),
  })

/** Counts what changes would affect. @throws ApiError */
export const planChanges = (datasetId: string, changes: readonly LabelChangeInput[]): Promise<SchemaPlan> =>
  call('POST /datasets/:dataset_id/schema/plan', { params: { dataset_id: datasetId }, body: { changes: [...changes] } })

/** Applies the changes in a plan. @throws ApiError */
export const applyPlan = (datasetId: string, token: string, note: string): Promise<SchemaVersion> =>
  call('POST /datasets/:dataset_id/schema/apply', {
    params: { dataset_id: datasetId },
    body: { token, note: note.trim() || null },
  })

/** @throws ApiError */
export const revertVersion = (datasetId: string, no: number): Promise<SchemaVersion> =>
  call('POST /datasets/:dataset_id/schema/:version_no/revert', { params: { dataset_id: datasetId, version_no: String(no) } })
