import { maxColumnValues } from '@postil/contract/files/imports.ts'
import { readBatch } from '../reading/batch.ts'
import type { Position } from '../reading/pieces.ts'
import { castTo } from '../rows/cast.ts'
import { INSPECTED, MAX_VALUE_LENGTH } from './inspect.ts'
import type { Layout, Source, SourceRow } from './layout.ts'

/** Time limit for reading the rows after the first ones, in milliseconds. The user who uploads the file waits for the result. */
const MAX_READ_MS = 2_000

/**
 * The distinct values of a column. `parts`: the distinct parts of its cells, in case a cell holds several labels. Values and
 * parts are collected until there are too many for a column of labels.
 */
type TrackedColumn = { readonly known: Set<string>; readonly parts: Set<string>; readonly later: unknown[] }

/** What may separate several labels in a cell. */
const SEPARATORS = /[|;,]/

const addAll = (known: Set<string>, texts: readonly string[]): boolean => {
  const { size } = known
  if (size <= maxColumnValues) for (const text of texts) known.add(text)
  return known.size > size
}

/** Adds a value. @returns false if the column can't contain labels */
const trackColumn = ({ known, parts, later }: TrackedColumn, value: unknown, isLater: boolean): boolean => {
  const texts = [value].flat().map((item) => String(castTo.text(item)))
  const hasNew = addAll(known, texts)
  const hasNewPart = addAll(
    parts,
    texts.flatMap((text) => text.split(SEPARATORS)),
  )
  if (isLater && (hasNew || hasNewPart || later.length < maxColumnValues)) later.push(value)
  if (texts.some(({ length }) => length > MAX_VALUE_LENGTH)) return false
  return known.size <= maxColumnValues || parts.size <= maxColumnValues
}

/**
 * Returns the values that occur after the first rows, keyed by column name. Reads only columns with few distinct values, which
 * may contain labels. If the rows are sorted by label, the first rows don't contain all labels. A row with an unknown label
 * wouldn't be imported.
 * @param next the position after the first rows
 */
export const laterValues = async (
  source: Source,
  layout: Layout,
  { rows, next }: { readonly rows: readonly SourceRow[]; readonly next: Position | null },
): Promise<ReadonlyMap<string, readonly unknown[]>> => {
  const empty = (): TrackedColumn => ({ known: new Set(), parts: new Set(), later: [] })
  const tracked = new Map(layout.header.map((name) => [name, empty()]))
  /**
   * Columns whose first rows look like labels, although later rows show that the columns don't contain labels. Their later values
   * are returned, too.
   */
  const others = new Map<string, TrackedColumn>()
  const headerNames = new Set(layout.header)
  const take = (row: SourceRow, isLater: boolean): void => {
    if ('fault' in row) return
    for (const [name, value] of row.values) {
      if (value === null) continue
      if (!isLater && !headerNames.has(name)) tracked.set(name, empty())
      headerNames.add(name)
      const column = tracked.get(name)
      if (column === undefined || trackColumn(column, value, isLater)) continue
      tracked.delete(name)
      if (isLater) others.set(name, column)
    }
  }
  for (const row of rows) take(row, false)
  const until = performance.now() + MAX_READ_MS
  for (let from = next; from !== null && tracked.size > 0 && performance.now() < until; ) {
    const batch = await readBatch(source, layout, { from, limit: INSPECTED, columns: [...tracked.keys()] })
    for (const row of batch.rows) take(row, true)
    from = batch.next
  }
  return new Map([...tracked, ...others].map(([name, { later }]) => [name, later]))
}
