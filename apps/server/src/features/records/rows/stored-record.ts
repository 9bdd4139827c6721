import type { RecordStatus } from '#platform/db/tables.ts'
import type { Micros } from '#platform/time.ts'

/** A stored record, with its content still as JSON text. */
export type StoredRecord = {
  readonly id: string
  readonly seq: number
  readonly external_id: string | null
  readonly status: RecordStatus
  readonly submitted: number
  readonly fields_json: string
  readonly metadata_json: string | null
  readonly inserted_at: Micros
  readonly updated_at: Micros
}

/** A column that is selected under another name stays the text that is stored. */
export const recordColumns = [
  'id',
  'seq',
  'external_id',
  'status',
  'submitted',
  'fields as fields_json',
  'metadata as metadata_json',
  'inserted_at',
  'updated_at',
] as const
