import { maxHubRows } from '@postil/contract/hub.ts'
import type { SourceRow } from '#features/imports/service.ts'
import { OutgoingFault } from '#platform/outgoing/guarded-fetch.ts'
import { CellFault, castCell } from './cells.ts'
import type { HubClient, HubConfig } from './client.ts'
import { type FileMark, openParquet, type ParquetFile, type ParquetRow } from './parquet-rows.ts'
import { type Features, filesOf, type HubSource, infoOf } from './source.ts'

/** Rows with more characters than that are no records. */
const MAX_ROW = 8_000_000

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
export type SizedRow = { readonly row: SourceRow; readonly size: number }

const sizeOf = (value: unknown): number => {
  if (typeof value === 'string') return value.length
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + sizeOf(one), 8)
  if (typeof value === 'object' && value !== null) return sizeOf(Object.values(value)) + sizeOf(Object.keys(value))
  return 8
}

/** @param place of the row in the split, from 0 */
const castRow = (row: ParquetRow, place: number, columns: readonly string[], features: Features): SizedRow => {
  const at = { row: place + 1, line: place + 1 }
  const values = new Map<string, unknown>()
  for (const column of columns) {
    try {
      values.set(column, castCell(features[column], row[column]))
    } catch (error) {
      if (!(error instanceof CellFault)) throw error
      return { row: { ...at, fault: `The column ${JSON.stringify(column)} ${error.message}` }, size: 100 }
    }
  }
  const size = sizeOf([...values.values()])
  return size > MAX_ROW
    ? { row: { ...at, fault: `The row has more than ${MAX_ROW} characters` }, size: 100 }
    : { row: { ...at, values }, size }
}

type Opened = { readonly file: ParquetFile; readonly start: number }

/** Opens a split of a dataset. @throws OutgoingFault when the hub does not have it, does not show it or cannot be reached */
export const openReader = async (client: HubClient, config: HubConfig, source: HubSource): Promise<HubReader> => {
  const { features, rows } = await infoOf(client, config, source)
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
    if (missing !== undefined) throw new OutgoingFault(`The dataset has no column ${JSON.stringify(missing)}`, false)
    const sent = await found.file.read(from - found.start, wanted)
    ahead = sent.slice(0, end - from).map((row, i) => castRow(row, from + i, wanted, features))
    aheadOf = key
    aheadFrom = from
    return ahead
  }
  const marks = files.map(({ file }) => file.mark)
  return { features, columns, total: Math.min(total, maxHubRows), all: rows.get(source.split) ?? null, marks, read }
}
