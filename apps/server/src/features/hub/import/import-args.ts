import type { Imported } from '#features/imports/service.ts'
import type { FileMark } from './parquet-rows.ts'
import type { HubSource } from './source.ts'

/** What an import from the hub knows of itself. */
export type ImportArgs = Imported & {
  readonly source: HubSource
  /** The row that the next batch begins with, from 0: rows before it are stored or in the report. */
  readonly next: number
  /** Characters of the rows before it; left out by imports that began before they were counted. */
  readonly size?: number
  /** What the files were when the import began; null before that. */
  readonly marks: readonly FileMark[] | null
}
