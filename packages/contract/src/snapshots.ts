import { z } from 'zod'
import { Author } from './gold.ts'
import { defineEndpoint } from './wire/define-endpoint.ts'
import { itemsOf, printedDatetime, printedUuid, text } from './wire/scalars.ts'

/** The maximum number of snapshots of a dataset. */
export const maxSnapshots = 100
export const maxSnapshotName = 200

/** A named point in time. Downloads can contain the records and answers as they were at that time. */
export const Snapshot = z.strictObject({
  id: printedUuid(),
  name: z.string(),
  at: printedDatetime(),
  /** Null if the user no longer exists. */
  user: Author.nullable(),
})
export type Snapshot = z.infer<typeof Snapshot>

const body = z.object({ name: text({ min: 1, max: maxSnapshotName }) })
const ofDataset = '/datasets/:dataset_id/snapshots'
const one = `${ofDataset}/:snapshot_id`

export const listSnapshots = defineEndpoint({
  id: 'snapshots.list',
  method: 'GET',
  path: ofDataset,
  result: itemsOf(Snapshot),
  errors: [403, 404],
  addition: true,
  summary: 'List the snapshots of a dataset, newest first',
})
export const createSnapshot = defineEndpoint({
  id: 'snapshots.create',
  method: 'POST',
  path: ofDataset,
  body,
  status: 201,
  result: Snapshot,
  errors: [403, 404, 409, 422],
  addition: true,
  summary: 'Create a snapshot; at most 100 per dataset',
})
export const renameSnapshot = defineEndpoint({
  id: 'snapshots.rename',
  method: 'PATCH',
  path: one,
  body,
  result: Snapshot,
  errors: [403, 404, 409],
  addition: true,
  summary: 'Rename a snapshot',
})
export const deleteSnapshot = defineEndpoint({
  id: 'snapshots.delete',
  method: 'DELETE',
  path: one,
  result: Snapshot,
  errors: [403, 404],
  addition: true,
  summary: 'Delete a snapshot; the records and their history stay',
})

export const snapshotEndpoints = [listSnapshots, createSnapshot, renameSnapshot, deleteSnapshot] as const
