import { type FileHandle, open } from 'node:fs/promises'
import { unprocessable } from '@postil/contract/wire/errors.ts'
import { message, type Reason } from '@postil/contract/wire/message.ts'
import type { JsonColumn, Layout } from '../inspect/layout.ts'
import { fromColumn } from '../reading/json-rows.ts'
import { FileFault, pieces } from '../reading/pieces.ts'
import { splitList } from '../reading/splitters.ts'
import { type UnfoldedRow, writeRows } from './rows-file.ts'

/** Maximum number of columns. Each is read at its own place in the file, with a buffer of its own. */
const MAX_COLUMNS = 200

type Cell = { readonly key: string | null; readonly value: unknown } | { readonly fault: Reason }
type ByColumn = NonNullable<Layout['byColumn']>

/** The values of one column in order, each with its key if the column is an object. */
async function* cellsOf(file: FileHandle, { from, end }: JsonColumn, kind: ByColumn['kind']): AsyncGenerator<Cell> {
  const areMembers = kind === 'objects'
  for await (const { bytes, start } of pieces(file, from, splitList({ begins: 'before', areMembers }), end)) {
    const cell = fromColumn(bytes, start.offset === from.offset, areMembers)
    if (cell !== null) yield cell
  }
}

/** Combines cells into a row. The result is a fault if the cells don't belong to the same row. */
const rowOf = (line: number, names: readonly string[], cells: readonly (Cell | null)[]): UnfoldedRow => {
  const values: [string, unknown][] = []
  const keys = new Set<string | null>()
  for (const [i, cell] of cells.entries()) {
    if (cell === null) return [line, null, message('columnShort', { column: JSON.stringify(names[i]) })]
    if ('fault' in cell) return [line, null, cell.fault]
    keys.add(cell.key)
    values.push([names[i] ?? '', cell.value])
  }
  return keys.size > 1 ? [line, null, message('columnsDiffer')] : [line, Object.fromEntries(values)]
}

async function* rowsOf(file: FileHandle, { kind, columns }: ByColumn): AsyncGenerator<UnfoldedRow> {
  const names = columns.map(({ name }) => name)
  const readers = columns.map((column) => cellsOf(file, column, kind))
  for (let line = 1; ; line += 1) {
    const read = await Promise.all(readers.map((reader) => reader.next()))
    if (read.every(({ done }) => done)) return
    yield rowOf(
      line,
      names,
      read.map(({ done, value }) => (done ? null : (value as Cell))),
    )
  }
}

/**
 * Converts a JSON file that stores its values by column, as pandas does, into rows. @param path where the rows are written
 * @returns the total number of bytes. @throws Problem unprocessable
 */
export const unfoldColumns = async (text: string, path: string, byColumn: ByColumn): Promise<number> => {
  if (byColumn.columns.length > MAX_COLUMNS)
    throw unprocessable(message('tooManyColumns', { found: byColumn.columns.length, limit: MAX_COLUMNS }))
  const file = await open(text, 'r')
  try {
    return await writeRows(path, rowsOf(file, byColumn))
  } catch (error) {
    if (error instanceof FileFault) throw unprocessable(message('lineFault', { line: error.line }, error.reason))
    throw error
  } finally {
    await file.close()
  }
}
