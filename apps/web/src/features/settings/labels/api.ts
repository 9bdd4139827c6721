import type { LabelChangeInput, SchemaPlan, SchemaVersion } from '@postil/contract/schema-versions.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#lib/api/client.ts'
import { cacheMedium } from '#lib/constants.ts'

/** Returns what the changes would affect, such as the number of answers. Doesn't change anything. @throws ApiError */
export const planChanges = (datasetId: string, changes: readonly LabelChangeInput[]): Promise<SchemaPlan> =>
  call('POST /datasets/:dataset_id/schema/plan', { params: { dataset_id: datasetId }, body: { changes: [...changes] } })

/** Applies the changes in a plan. @throws ApiError */
export const applyPlan = (datasetId: string, token: string, note: string): Promise<SchemaVersion> =>
  call('POST /datasets/:dataset_id/schema/apply', {
    params: { dataset_id: datasetId },
    body: { token, note: note.trim() || null },
  })

/** Continues the failed job of a version. @throws ApiError */
export const resumeVersion = (datasetId: string, no: number): Promise<SchemaVersion> =>
  call('POST /datasets/:dataset_id/schema/:version_no/resume', { params: { dataset_id: datasetId, version_no: String(no) } })

/** @throws ApiError */
export const revertVersion = (datasetId: string, no: number): Promise<SchemaVersion> =>
  call('POST /datasets/:dataset_id/schema/:version_no/revert', { params: { dataset_id: datasetId, version_no: String(no) } })

/** The labels, guidelines and descriptions before and after a version. */
export const schemaDiffQuery = (datasetId: string, no: number) =>
  queryOptions({
    queryKey: ['dataset', datasetId, 'schema-versions', no, 'diff'],
    queryFn: ({ signal }) =>
      call('GET /datasets/:dataset_id/schema-versions/:version_no/diff', {
        params: { dataset_id: datasetId, version_no: String(no) },
        signal,
      }),
    staleTime: cacheMedium,
  })
