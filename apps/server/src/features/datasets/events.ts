import type { Db } from '#platform/db/db.ts'
import { openOutbox } from '#platform/events/outbox.ts'
import { datasetEventData } from '#platform/events/payloads.ts'
import { now } from '#platform/time.ts'

type DatasetEvent = 'dataset.created' | 'dataset.updated' | 'dataset.published' | 'dataset.deleted'

/** Tells the webhooks that ask for it; a deletion is told before it is made, with the state that goes. */
export const emitDataset = async (
  db: Db,
  event: DatasetEvent,
  dataset: { readonly id: string; readonly no: number },
): Promise<void> => {
  const outbox = await openOutbox(db)
  if (!outbox.wants(event)) return
  const data = await datasetEventData(db, dataset.no)
  await outbox.emit([{ event, dataset_no: dataset.no, subject_id: dataset.id, at: now(), data }])
}
