import type { Db } from '#platform/db/db.ts'
import { openOutbox } from '#platform/events/outbox.ts'
import { datasetEventData, recordEventData } from '#platform/events/payloads.ts'
import { now } from '#platform/time.ts'
import type { StoredRecord } from './rows/stored-record.ts'

type RecordEvent = {
  readonly event: 'record.created' | 'record.updated' | 'record.deleted'
  readonly record: StoredRecord
}

type JsonObject = { readonly [key: string]: unknown }

/** Queues the events, in the given order, for the webhooks that subscribe to them. */
export const emitRecords = async (db: Db, datasetNo: number, events: readonly RecordEvent[]): Promise<void> => {
  const outbox = await openOutbox(db)
  const subscribed = events.filter(({ event }) => outbox.isSubscribed(event))
  if (subscribed.length === 0) return
  const dataset = await datasetEventData(db, datasetNo)
  const at = now()
  await outbox.emit(
    datasetNo,
    subscribed.map(({ event, record }) => {
      const { fields_json, metadata_json, ...rest } = record
      const fields = JSON.parse(fields_json) as JsonObject
      const metadata = JSON.parse(metadata_json ?? 'null') as JsonObject | null
      return {
        event,
        subject_id: record.id,
        at,
        data: recordEventData({ ...rest, fields, metadata }, dataset),
      }
    }),
  )
}
