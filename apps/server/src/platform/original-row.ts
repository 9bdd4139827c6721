import type { Micros } from './time.ts'

/** The ID and times that a row keeps when it is migrated from another server. */
export type OriginalRow = { readonly id: string; readonly inserted_at: Micros; readonly updated_at: Micros }
