import type { Micros } from './time.ts'

/** Id and times that a row brings along from another server and keeps. */
export type Kept = { readonly id: string; readonly inserted_at: Micros; readonly updated_at: Micros }
