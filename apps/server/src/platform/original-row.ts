import type { Micros } from './time.ts'

/** The ID and times that a row keeps when it is migrated from another server. */
export type OriginalRow = RowTimes & {
  readonly id: string
  /** The version of an answer. Omitted if the other server doesn't report it. */
  readonly version?: number | undefined
}

/** When a row was created and last changed. */
export type RowTimes = { readonly inserted_at: Micros; readonly updated_at: Micros }
