import type { Db } from '#platform/db/db.ts'
import { openOutbox } from '#platform/events/outbox.ts'
import { datasetEventData } from '#platform/events/payloads.ts'
import { now } from '#platform/time.ts'

type DatasetEvent = 'dataset.created' | 'dataset.updated' | 'dataset.published' | 'dataset.deleted'

/**
 * Emits an event to the webhooks that subscribe to it. A deletion event is emitted before the deletion and contains the last
 * state.
 */
export const emitDataset = async (
  db: Db,
  event: DatasetEvent,
  dataset: { readonly id: string; readonly no: number },
): Promise<void> => {
  const outbox = await openOutbox(db)
  if (!outbox.isSubscribed(event)) return
  const data = await datasetEventData(db, dataset.no)
  await outbox.emit([{ event, dataset_no: dataset.no, subject_id: dataset.id, at: now(), data }])
}
