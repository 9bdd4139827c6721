import type { Imported } from '#features/imports/public.ts'
import type { FileMark } from './parquet-rows.ts'
import type { HubSource } from './source.ts'

/** The state of an import from the Hub. */
export type ImportArgs = Imported & {
  readonly source: HubSource
  /** The first row of the next batch, counted from 0. Earlier rows are either stored or listed in the report. */
  readonly next: number
  /** Number of characters in the rows before `next`. Missing if a version of Postil that didn't count them started the import. */
  readonly size?: number
  /**
   * The size, row count and ETag of each file when the import started. If they differ later, the import fails. Null before the
   * first batch.
   */
  readonly marks: readonly FileMark[] | null
}
