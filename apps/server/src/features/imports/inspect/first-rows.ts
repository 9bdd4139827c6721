import { open } from 'node:fs/promises'
import { readCells, splitCells } from '../reading/cells.ts'
import { FileFault, pieces, textOf } from '../reading/pieces.ts'
import { splitLines, splitTable } from '../reading/splitters.ts'
import type { Layout } from './layout.ts'

/** A row that may be the heading. `row` is its line in a text file, or its row number in a sheet. */
export type FirstRow = { readonly row: number; readonly cells: readonly (string | null)[] }

/** Number of rows at the beginning of a table from which the user can choose the heading. */
const SHOWN = 15

/** The first rows of a table, including titles and the heading. @param path the text of the file in UTF-8 */
export const firstTableRows = async (path: string, { delimiter, quotesAreText }: Layout): Promise<readonly FirstRow[]> => {
  const rows: FirstRow[] = []
  const file = await open(path, 'r')
  try {
    const splitter = quotesAreText ? splitLines() : splitTable(delimiter)
    for await (const { bytes, start } of pieces(file, { offset: 0, row: 0, line: 0 }, splitter)) {
      const text = textOf(bytes).replace(/^\ufeff/, '')
      if (text.trim() === '') continue
      const read = quotesAreText ? { cells: splitCells(text, delimiter) } : readCells(text, delimiter)
      rows.push({ row: start.line + 1, cells: 'fault' in read ? [text.trim()] : read.cells })
      if (rows.length === SHOWN) break
    }
  } catch (error) {
    if (!(error instanceof FileFault)) throw error
  } finally {
    await file.close()
  }
  return rows
}
