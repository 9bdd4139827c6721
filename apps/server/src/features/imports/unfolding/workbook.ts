import { unprocessable } from '@postil/contract/wire/errors.ts'
import { message, type Reason } from '@postil/contract/wire/message.ts'
import { columnLetters, type Cell as SheetCell, type SheetRow } from '#platform/xlsx/sheet.ts'
import { openWorkbook, type Workbook } from '#platform/xlsx/workbook.ts'
import { WorkbookFault } from '#platform/xlsx/xml.ts'
import type { FirstRow } from '../inspect/first-rows.ts'
import type { Layout, Source } from '../inspect/layout.ts'
import { guessHeading, letterNames, namesOf } from '../reading/heading.ts'
import { type UnfoldedRow, writeRows } from './rows-file.ts'

const cellText = (cell: SheetCell | undefined): string | null =>
  cell === undefined || 'fault' in cell ? null : String(cell.value ?? '')

const textsOf = ({ cells }: SheetRow): readonly (string | null)[] =>
  Array.from({ length: Math.max(-1, ...cells.keys()) + 1 }, (_, no) => cellText(cells.get(no)))

/** Column names from the cells of a row. */
const headingOf = ({ cells, line }: SheetRow): readonly string[] => {
  const faulty = [...cells.values()].find((cell) => 'fault' in cell)
  if (faulty !== undefined && 'fault' in faulty) throw unprocessable(message('headingCell', { row: line }, faulty.fault))
  return namesOf(textsOf({ cells, line }).map((text) => text ?? ''))
}

/** Number of rows from which the heading is detected. */
const DECISIVE = 30
/** Number of rows that the user sees when choosing the heading. */
const SHOWN = 15

/**
 * Finds the heading in the first rows of a sheet.
 * @param chosen the row of the sheet that the user chose as the heading; 0 if the sheet has no heading. If omitted, the heading
 * is detected
 * @throws Problem unprocessable if the chosen row doesn't exist
 */
const findHeading = (
  rows: readonly SheetRow[],
  chosen?: number,
): { readonly header: readonly string[]; readonly row: number } => {
  if (chosen !== undefined && chosen > 0) {
    const heading = rows.find(({ line }) => line === chosen)
    if (heading === undefined) throw unprocessable(message('noHeadingAt', { line: chosen }))
    return { header: headingOf(heading), row: chosen }
  }
  const texts = rows.map(textsOf)
  const index = chosen === 0 ? null : guessHeading(texts)
  const heading = index === null ? undefined : rows[index]
  if (heading === undefined) return { header: letterNames(Math.max(...texts.map(({ length }) => length))), row: 0 }
  return { header: headingOf(heading), row: heading.line }
}

const unfolded = ({ line, cells }: SheetRow, header: readonly string[]): UnfoldedRow => {
  const beyond = [...cells.keys()].find((no) => no >= header.length)
  if (beyond !== undefined) return [line, null, message('rowCellBeyond', { column: columnLetters(beyond) })]
  const values: [string, unknown][] = []
  const faults: [string, Reason][] = []
  for (const [no, cell] of cells) {
    const name = header[no] ?? ''
    if ('fault' in cell) faults.push([name, cell.fault])
    else values.push([name, cell.value])
  }
  return faults.length === 0 ? [line, Object.fromEntries(values)] : [line, Object.fromEntries(values), Object.fromEntries(faults)]
}

type SheetChoice = { readonly sheet: number; readonly heading_row?: number | undefined }

/** The first rows of a sheet, at least up to the heading that the user has chosen. */
const firstRows = async (rows: AsyncIterator<SheetRow>, heading = 0): Promise<SheetRow[]> => {
  const first: SheetRow[] = []
  while (first.length < DECISIVE || (first.at(-1)?.line ?? 0) < heading) {
    const { done, value } = await rows.next()
    if (done) break
    first.push(value)
  }
  return first
}

/** An unfolded sheet and its first rows. The user can choose the heading from these rows. */
type UnfoldedSheet = { readonly layout: Layout; readonly firstRows: readonly FirstRow[] }

const unfoldSheet = async (book: Workbook, source: Source, { sheet, heading_row }: SheetChoice): Promise<UnfoldedSheet> => {
  const path = source.unfolded(sheet)
  const rows = book.rows(sheet, `${path}.texts`)
  try {
    const first = await firstRows(rows, heading_row)
    if (first.length === 0) throw unprocessable(message('sheetEmpty', { sheet: JSON.stringify(book.sheets[sheet]) }))
    const { header, row: headingRow } = findHeading(first, heading_row)
    async function* lines(): AsyncGenerator<UnfoldedRow> {
      for (const row of first) if (row.line > headingRow) yield unfolded(row, header)
      for await (const row of rows) yield unfolded(row, header)
    }
    const end = await writeRows(path, lines())
    const place = { first: { offset: 0, row: 0, line: 0 }, end, sheets: book.sheets, sheet }
    const layout: Layout = { format: 'xlsx', delimiter: '', header, headingRow, ...place }
    return { layout, firstRows: first.slice(0, SHOWN).map((row) => ({ row: row.line, cells: textsOf(row) })) }
  } finally {
    // Closes the file with the workbook's shared strings, even if not all rows were read
    await rows.return(undefined)
  }
}

const withBook = async <T>({ file }: Source, work: (book: Workbook) => Promise<T>): Promise<T> => {
  try {
    const book = await openWorkbook(file)
    try {
      return await work(book)
    } finally {
      book.close()
    }
  } catch (error) {
    if (error instanceof WorkbookFault) throw unprocessable(error.reason)
    throw error
  }
}

/** Names of a workbook's sheets. @throws Problem unprocessable */
export const sheetsOf = (source: Source): Promise<readonly string[]> => withBook(source, async ({ sheets }) => sheets)

/** Writes a sheet's rows consecutively. @throws Problem unprocessable */
export const unfoldWorkbook = (source: Source, choice: SheetChoice): Promise<UnfoldedSheet> =>
  withBook(source, (book) => unfoldSheet(book, source, choice))
