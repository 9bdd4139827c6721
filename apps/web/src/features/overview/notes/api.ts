import type { Job } from '@postil/contract/jobs.ts'
import type { LabelNotes } from '@postil/contract/notes.ts'
import type { SchemaPlan } from '@postil/contract/schema-versions.ts'
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { call } from '#lib/api/client.ts'
import { cacheDefault } from '#lib/constants.ts'

const pageSize = 50

/** The groups of similar notes, in pages. */
export const noteGroupsQuery = (datasetId: string, question: string, vector: string | null, text: string) =>
  infiniteQueryOptions({
    queryKey: ['dataset', datasetId, 'notes', question, vector, text],
    queryFn: ({ pageParam, signal }) =>
      call('GET /datasets/:dataset_id/notes', {
        params: { dataset_id: datasetId },
        query: { question, offset: pageParam, limit: pageSize, ...(vector !== null && { vector }), ...(text !== '' && { text }) },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ total }, pages) => {
      const shown = pages.reduce((sum, { items }) => sum + items.length, 0)
      return shown < total ? shown : null
    },
    placeholderData: keepPreviousData,
    staleTime: cacheDefault,
  })

/** Checks whether a label can be added. @throws ApiError */
export const planLabel = (datasetId: string, question_id: string, name: string): Promise<SchemaPlan> =>
  call('POST /datasets/:dataset_id/schema/plan', {
    params: { dataset_id: datasetId },
    body: { changes: [{ type: 'add_label', question_id, value: name, text: name }] },
  })

/** Adds a planned label. @throws ApiError */
export const addLabel = async (datasetId: string, token: string, note: string): Promise<void> => {
  await call('POST /datasets/:dataset_id/schema/apply', { params: { dataset_id: datasetId }, body: { token, note } })
}

/** For each record with a note in one of the groups, adds a label to the caller's answer. @throws ApiError */
export const labelNotes = (datasetId: string, body: LabelNotes): Promise<Job> =>
  call('POST /me/datasets/:dataset_id/notes/label', { params: { dataset_id: datasetId }, body })

/** @throws ApiError */
export const undoLabels = (datasetId: string, jobId: string): Promise<Job> =>
  call('POST /me/datasets/:dataset_id/responses/bulk-jobs/:job_id/undo', { params: { dataset_id: datasetId, job_id: jobId } })
