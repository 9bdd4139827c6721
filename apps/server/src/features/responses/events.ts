import type { Db } from '#platform/db/db.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'
import type { RecordStatus } from '#platform/db/tables.ts'
import type { EventName } from '#platform/events/outbox.ts'
import { openOutbox } from '#platform/events/outbox.ts'
import { authorEventData, datasetEventData, recordEventData, responseEventData } from '#platform/events/payloads.ts'
import type { Micros } from '#platform/time.ts'
import type { StoredResponse } from './rows.ts'

type Change = {
  readonly record: { readonly id: string; readonly seq: number }
  /** The record's status after the change. */
  readonly status: RecordStatus
  readonly before: StoredResponse | null
  readonly after: StoredResponse | null
  readonly at: Micros
}

const responseEvent = ({ before, after }: Change): EventName =>
  after === null ? 'response.deleted' : before === null ? 'response.created' : 'response.updated'

/**
 * For each change, emits `record.updated`, then `record.completed` if the record is complete, then the answer's own event. A
 * deleted answer's event contains the answer before its deletion.
 */
export const emitChanges = async (db: Db, datasetNo: number, changes: readonly Change[]): Promise<void> => {
  const outbox = await openOutbox(db)
  const subscribed = changes.flatMap((change) => {
    const completed = change.status === 'completed' ? (['record.completed'] as const) : []
    const names: readonly EventName[] = ['record.updated', ...completed, responseEvent(change)]
    return outbox.isSubscribed(...names) ? [{ ...change, names }] : []
  })
  if (subscribed.length === 0) return
  const dataset = await datasetEventData(db, datasetNo)
  for (const { record, status, before, after, at, names } of subscribed) {
    const response = after ?? before
    if (response === null) continue
    const [row, author] = await pipeline([
      db.sql
        .selectFrom('records')
        .select(['id', 'status', 'fields', 'metadata', 'external_id', 'inserted_at', 'updated_at'])
        .where('dataset_no', '=', datasetNo)
        .where('seq', '=', record.seq)
        .executeTakeFirstOrThrow(),
      authorEventData(db, response.user_id),
    ])
    const recordData = recordEventData({ ...row, status }, dataset)
    const responseData = responseEventData(response, recordData, author)
    await outbox.emit(
      datasetNo,
      names.map((event) => ({
        event,
        subject_id: record.id,
        at,
        data: event.startsWith('response.') ? responseData : recordData,
      })),
    )
  }
}
