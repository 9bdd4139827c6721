import { maxHubRows } from '@postil/contract/files/hub.ts'
import { message } from '@postil/contract/wire/message.ts'
import { OutgoingFault } from '#platform/outgoing/guarded-fetch.ts'
import { castRow, type SizedRow } from '#platform/parquet/cast-row.ts'
import type { Features } from '#platform/parquet/features.ts'
import type { HubClient, HubConfig } from '../client.ts'
import { type FileMark, openParquet, type ParquetFile } from './parquet-rows.ts'
import { filesOf, type HubSource, infoOf } from './source.ts'

/** Reads the rows of a split in order, converted to JSON. */
export type HubReader = {
  readonly features: Features
  /** Column names in order. */
  readonly columns: readonly string[]
  /** Number of rows that can be read. */
  readonly total: number
  /** Total number of rows in the split. It can be greater than `total`. Null if the Hub doesn't report it. */
  readonly all: number | null
  /** Identifies the files, to detect that they have changed. */
  readonly marks: readonly FileMark[]
  /** Returns some rows with their sizes, starting at position `from`. Empty at the end. @param columns null for all columns */
  readonly read: (from: number, columns: readonly string[] | null) => Promise<readonly SizedRow[]>
}
/**
 * Rows are converted by `castRow` in batches of about this many characters. A file can store repeated text only once, so its rows
 * may be far larger than the file.
 */
const MAX_CAST_LENGTH = 8_000_000

type Opened = { readonly file: ParquetFile; readonly start: number }

/**
 * Opens a split of a dataset. @throws OutgoingFault when the split is missing or not accessible, or the Hub can't be reached
 */
export const openReader = async (client: HubClient, config: HubConfig, source: HubSource): Promise<HubReader> => {
  const { features, rows: counted } = await infoOf(client, config, source)
  const urls = await filesOf(client, config, source)
  const files: Opened[] = []
  let total = 0
  for (const url of urls) {
    if (total >= maxHubRows) break
    const file = await openParquet(client, url)
    files.push({ file, start: total })
    total += file.mark.rows
  }
  const columns = files[0]?.file.columns ?? []
  let sent: Awaited<ReturnType<ParquetFile['read']>> = []
  let sentFrom = 0
  let prefetched: readonly SizedRow[] = []
  let prefetchedFile = ''
  let prefetchedFrom = 0
  const read: HubReader['read'] = async (from, only) => {
    const requestedColumns = only ?? columns
    const key = JSON.stringify(requestedColumns)
    const end = Math.min(total, maxHubRows)
    if (key === prefetchedFile && from >= prefetchedFrom && from < prefetchedFrom + prefetched.length)
      return prefetched.slice(from - prefetchedFrom)
    const found = files.findLast(({ start }) => start <= from)
    if (found === undefined || from >= end) return []
    const missing = requestedColumns.find((column) => !found.file.columns.includes(column))
    if (missing !== undefined) throw new OutgoingFault(message('noColumn', { column: JSON.stringify(missing) }), false)
    if (key !== prefetchedFile || from < sentFrom || from >= sentFrom + sent.length) {
      sent = []
      sent = await found.file.read(from - found.start, requestedColumns)
      sentFrom = from
      prefetchedFile = key
    }
    const rows: SizedRow[] = []
    for (let size = 0, at = from; size < MAX_CAST_LENGTH && at < Math.min(end, sentFrom + sent.length); at += 1) {
      const row = castRow(sent[at - sentFrom] ?? {}, at, requestedColumns, features)
      rows.push(row)
      size += row.size
    }
    prefetched = rows
    prefetchedFrom = from
    return prefetched
  }
  const marks = files.map(({ file }) => file.mark)
  return { features, columns, total: Math.min(total, maxHubRows), all: counted.get(source.split) ?? null, marks, read }
}
