import type { ImportColumn } from '@postil/contract/imports.ts'
import { parseUuid } from '@postil/contract/scalars.ts'

/** Columns of a dataset's own download: the ids of records themselves, and their external ids. */
export const RECORD_ID = '_server_id'
export const EXTERNAL_ID = 'id'

/** Whether these are ids of records, none of them missing its form. */
export const areRecordIds = (values: readonly unknown[]): boolean =>
  values.length > 0 && values.every((value) => typeof value === 'string' && parseUuid(value) !== null)

/** Whether a file was downloaded from a dataset, as far as its columns tell. */
export const isOwnFile = (columns: readonly ImportColumn[]): boolean =>
  columns.some(({ name, samples }) => name === RECORD_ID && areRecordIds(samples))
