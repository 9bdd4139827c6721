import { maxHubRows } from '@postil/contract/files/hub.ts'
import { sayReason } from '@postil/contract/wire/reasons.ts'
import { OutgoingFault } from '#platform/outgoing/guarded-fetch.ts'
import { castRow, type SizedRow } from '#platform/parquet/cast-row.ts'
import type { Features } from '#platform/parquet/features.ts'
import type { HubClient, HubConfig } from '../client.ts'
import { type FileMark, openParquet, type ParquetFile } from './parquet-rows.ts'
import { filesOf, type HubSource, infoOf } from './source.ts'

/** Rows of a split in their order, cast to JSON. */
export type HubReader = {
  readonly features: Features
  /** Names of the columns in their order. */
  readonly columns: readonly string[]
  /** Rows that can be read. */
  readonly total: number
  /** All rows of the split, which may be more; null where the hub does not know. */
  readonly all: number | null
  /** What tells that the files are the same another time. */
  readonly marks: readonly FileMark[]
  /** Some rows from a place on, with their sizes; none at the end. @param columns null: all */
  readonly read: (from: number, columns: readonly string[] | null) => Promise<readonly SizedRow[]>
}
/** Characters of rows that are cast at once: one text can stand in every row that was read. */
const CAST = 8_000_000

type Opened = { readonly file: ParquetFile; readonly start: number }

/** Opens a split of a dataset. @throws OutgoingFault when the hub does not have it, does not show it or cannot be reached */
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
  let ahead: readonly SizedRow[] = []
  let aheadOf = ''
  let aheadFrom = 0
  const read: HubReader['read'] = async (from, only) => {
    const wanted = only ?? columns
    const key = JSON.stringify(wanted)
    const end = Math.min(total, maxHubRows)
    if (key === aheadOf && from >= aheadFrom && from < aheadFrom + ahead.length) return ahead.slice(from - aheadFrom)
    const found = files.findLast(({ start }) => start <= from)
    if (found === undefined || from >= end) return []
    const missing = wanted.find((column) => !found.file.columns.includes(column))
    if (missing !== undefined) throw new OutgoingFault(sayReason('noColumn', { column: JSON.stringify(missing) }), false)
    if (key !== aheadOf || from < sentFrom || from >= sentFrom + sent.length) {
      sent = []
      sent = await found.file.read(from - found.start, wanted)
      sentFrom = from
      aheadOf = key
    }
    const rows: SizedRow[] = []
    for (let size = 0, at = from; size < CAST && at < Math.min(end, sentFrom + sent.length); at += 1) {
      const row = castRow(sent[at - sentFrom] ?? {}, at, wanted, features)
      rows.push(row)
      size += row.size
    }
    ahead = rows
    aheadFrom = from
    return ahead
  }
  const marks = files.map(({ file }) => file.mark)
  return { features, columns, total: Math.min(total, maxHubRows), all: counted.get(source.split) ?? null, marks, read }
}
