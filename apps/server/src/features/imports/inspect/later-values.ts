import { maxColumnValues } from '@postil/contract/files/imports.ts'
import { readBatch } from '../reading/batch.ts'
import type { Position } from '../reading/pieces.ts'
import { castTo } from '../rows/cast.ts'
import { INSPECTED, MAX_VALUE_LENGTH } from './inspect.ts'
import type { Layout, Source, SourceRow } from './layout.ts'

/** Milliseconds for which a file is read on: whoever sends one waits for what its columns are. */
const READ_ON_MS = 2_000

/** What a column holds while its different values are few enough to be labels. */
type Followed = { readonly known: Set<string>; readonly later: unknown[] }

/** Takes a value in. @returns false when the column holds no labels */
const follow = ({ known, later }: Followed, value: unknown, isLater: boolean): boolean => {
  const texts = [value].flat().map((item) => String(castTo.text(item)))
  const isNew = texts.some((text) => !known.has(text))
  if (isLater && (isNew || later.length < maxColumnValues)) later.push(value)
  if (texts.some(({ length }) => length > MAX_VALUE_LENGTH)) return false
  for (const text of texts) known.add(text)
  return known.size <= maxColumnValues
}

/**
 * What columns with few different values hold behind the rows that all are judged by: rows may be sorted by their labels, and a row
 * with a label that nobody knew of is left out.
 * @param next where those rows end
 */
export const laterValues = async (
  source: Source,
  layout: Layout,
  { rows, next }: { readonly rows: readonly SourceRow[]; readonly next: Position | null },
): Promise<ReadonlyMap<string, readonly unknown[]>> => {
  const empty = (): Followed => ({ known: new Set(), later: [] })
  const followed = new Map(layout.header.map((name) => [name, empty()]))
  /** What showed in later rows that a column holds no labels: without it the column would be judged by its first rows. */
  const others = new Map<string, Followed>()
  const given = new Set(layout.header)
  const take = (row: SourceRow, isLater: boolean): void => {
    if ('fault' in row) return
    for (const [name, value] of row.values) {
      if (value === null) continue
      if (!isLater && !given.has(name)) followed.set(name, empty())
      given.add(name)
      const column = followed.get(name)
      if (column === undefined || follow(column, value, isLater)) continue
      followed.delete(name)
      if (isLater) others.set(name, column)
    }
  }
  for (const row of rows) take(row, false)
  const until = performance.now() + READ_ON_MS
  for (let from = next; from !== null && followed.size > 0 && performance.now() < until; ) {
    const batch = await readBatch(source, layout, { from, limit: INSPECTED, columns: [...followed.keys()] })
    for (const row of batch.rows) take(row, true)
    from = batch.next
  }
  return new Map([...followed, ...others].map(([name, { later }]) => [name, later]))
}
