import { unprocessable } from '@postil/contract/wire/errors.ts'
import { message, type Reason } from '@postil/contract/wire/message.ts'
import { columnLetters, type SheetRow } from '#platform/xlsx/sheet.ts'
import { openWorkbook, type Workbook } from '#platform/xlsx/workbook.ts'
import { WorkbookFault } from '#platform/xlsx/xml.ts'
import type { Layout, Source } from '../inspect/layout.ts'
import { namesOf } from '../reading/heading.ts'
import { type UnfoldedRow, writeRows } from './rows-file.ts'

/** Column names from the first row that has cells. */
const headingOf = ({ cells, line }: SheetRow): readonly string[] => {
  const last = Math.max(...cells.keys())
  const names = Array.from({ length: last + 1 }, (_, no): string => {
    const cell = cells.get(no)
    if (cell !== undefined && 'fault' in cell) throw unprocessable(message('headingCell', { row: line }, cell.fault))
    return String(cell?.value ?? '')
  })
  return namesOf(names)
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

const unfoldSheet = async (book: Workbook, source: Source, sheet: number): Promise<Layout> => {
  const path = source.unfolded(sheet)
  const rows = book.rows(sheet, `${path}.texts`)
  let header: readonly string[] | null = null
  async function* lines(): AsyncGenerator<UnfoldedRow> {
    for await (const row of rows) {
      if (header === null) header = headingOf(row)
      else yield unfolded(row, header)
    }
  }
  const end = await writeRows(path, lines())
  if (header === null) throw unprocessable(message('sheetEmpty', { sheet: JSON.stringify(book.sheets[sheet]) }))
  return { format: 'xlsx', delimiter: '', header, first: { offset: 0, row: 0, line: 0 }, end, sheets: book.sheets, sheet }
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

/** Writes a sheet's rows consecutively. @param sheet index of the sheet. @throws Problem unprocessable */
export const unfoldWorkbook = (source: Source, sheet: number): Promise<Layout> =>
  withBook(source, (book) => unfoldSheet(book, source, sheet))
