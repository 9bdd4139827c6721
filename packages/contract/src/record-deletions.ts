import { z } from 'zod'
import { Job } from './jobs.ts'
import { recordTarget, refuseUnclearTarget } from './record-target.ts'
import { defineEndpoint } from './wire/define-endpoint.ts'

export const DeletionBody = z.object(recordTarget).superRefine(refuseUnclearTarget)
export type DeletionBody = z.infer<typeof DeletionBody>

export const deleteManyRecords = defineEndpoint({
  id: 'record_deletions.start',
  method: 'POST',
  path: '/datasets/:dataset_id/records/delete',
  body: DeletionBody,
  status: 202,
  result: Job,
  errors: [403, 404],
  addition: true,
  summary: 'Delete the records that a search finds, or the given ones; starts after ten seconds and can be canceled until then',
})

export const recordDeletionEndpoints = [deleteManyRecords] as const
