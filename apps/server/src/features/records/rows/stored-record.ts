import type { RecordStatus } from '#platform/db/tables.ts'
import type { Micros } from '#platform/time.ts'

/** A stored record whose content is still JSON text. */
export type StoredRecord = {
  readonly id: string
  readonly seq: number
  readonly external_id: string | null
  readonly status: RecordStatus
  readonly submitted: number
  readonly extra_answers: number
  readonly fields_json: string
  readonly metadata_json: string | null
  readonly inserted_at: Micros
  readonly updated_at: Micros
}

/** `fields` and `metadata` have aliases, because a column under an alias is returned as the stored text, unparsed. */
export const recordColumns = [
  'id',
  'seq',
  'external_id',
  'status',
  'submitted',
  'extra_answers',
  'fields as fields_json',
  'metadata as metadata_json',
  'inserted_at',
  'updated_at',
] as const
