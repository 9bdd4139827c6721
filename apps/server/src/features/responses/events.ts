import type { Db } from '#platform/db/db.ts'
import type { RecordStatus } from '#platform/db/tables.ts'
import type { EventName, Outbox } from '#platform/events/outbox.ts'
import { datasetEventData, recordEventData, responseEventData } from '#platform/events/payloads.ts'
import type { Micros } from '#platform/time.ts'
import type { StoredResponse } from './rows.ts'
import type { Scope } from './scope.ts'

type ResponseEvent = 'response.created' | 'response.updated' | 'response.deleted'
type ChangeEvent = {
  readonly scope: Scope
  /** The record's status after the change. */
  readonly status: RecordStatus
  /** The answer after the change, or before its deletion. */
  readonly response: StoredResponse
  readonly event: ResponseEvent
  readonly at: Micros
}

/** Emits `record.updated`, then `record.completed` if the record is complete, then the answer's own event. */
export const emitChange = async (db: Db, outbox: Outbox, { scope, status, response, event, at }: ChangeEvent): Promise<void> => {
  const names: readonly EventName[] = ['record.updated', ...(status === 'completed' ? ['record.completed' as const] : []), event]
  if (!outbox.isSubscribed(...names)) return
  const { dataset, record } = scope
  const row = await db.sql
    .selectFrom('records')
    .select(['id', 'status', 'fields', 'metadata', 'external_id', 'inserted_at', 'updated_at'])
    .where('dataset_no', '=', dataset.no)
    .where('seq', '=', record.seq)
    .executeTakeFirstOrThrow()
  const recordData = recordEventData(row, await datasetEventData(db, dataset.no))
  const responseData = await responseEventData(db, response, recordData)
  await outbox.emit(
    names.map((name) => ({
      event: name,
      dataset_no: dataset.no,
      subject_id: record.id,
      at,
      data: name === event ? responseData : recordData,
    })),
  )
}
