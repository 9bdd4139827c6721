import { ESCAPE_MARK, unescapeFormula } from '@postil/contract/files/csv-cell.ts'
import { unprocessable } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import { columnLetters } from '#platform/xlsx/sheet.ts'

const MAX_COLUMNS = 1000

/** Adds as many `_` to a name as needed to make it unique. */
const withUnderscores = (name: string, isTaken: (name: string) => boolean): string => {
  let unique = name
  while (isTaken(unique)) unique = `${unique}_`
  return unique
}

/** A name with the lowest number that makes it unique, such as `text_2`. */
const numbered = (name: string, isTaken: (name: string) => boolean): string => {
  for (let number = 2; ; number += 1) if (!isTaken(`${name}_${number}`)) return `${name}_${number}`
}

/**
 * Column names from the cells of a heading. A column without a name gets the letter that it has in a spreadsheet. Repeated names
 * get a number. @throws Problem unprocessable for a heading without names or with too many columns
 */
export const namesOf = (cells: readonly string[]): readonly string[] => {
  if (cells.length > MAX_COLUMNS) throw unprocessable(message('tooManyColumns', { found: cells.length, limit: MAX_COLUMNS }))
  const given = new Set(cells.map((cell) => cell.trim()))
  if (given.size === 1 && given.has('')) throw unprocessable(message('columnNameless', { column: 1 }))
  const plain = given.has(ESCAPE_MARK) ? cells.map((cell) => unescapeFormula(cell.trim())) : cells.map((cell) => cell.trim())
  const taken = new Set<string>()
  return plain.map((cell, no) => {
    const isTaken = (name: string): boolean => taken.has(name) || plain.includes(name)
    const name = cell === '' ? withUnderscores(columnLetters(no), isTaken) : taken.has(cell) ? numbered(cell, isTaken) : cell
    taken.add(name)
    return name
  })
}

/** Names for the columns of a table without a heading: letters as in a spreadsheet. */
export const letterNames = (count: number): readonly string[] =>
  namesOf(Array.from({ length: count }, (_, no) => columnLetters(no)))

/** The cells of a table row as strings. A cell without a value is null or blank. */
type Cells = readonly (string | null)[]

const isFilled = (cell: string | null | undefined): cell is string => cell != null && cell.trim() !== ''
const isNumber = (cell: string): boolean => /^\s*[+-]?\d+([.,]\d+)*\s*$/.test(cell)
const widthOf = (row: Cells): number => row.findLastIndex(isFilled) + 1

/**
 * The most frequent number of cells per row, not counting empty rows. If several numbers are equally frequent, the largest one.
 */
const usualWidth = (rows: readonly Cells[]): number => {
  const counts = new Map<number, number>()
  for (const width of rows.map(widthOf)) if (width > 0) counts.set(width, (counts.get(width) ?? 0) + 1)
  return [...counts].toSorted(([a, many], [b, more]) => more - many || b - a)[0]?.[0] ?? 0
}

/** Whether a row is a title above the heading: at most half of its cells are filled, beginning with the first. */
const isTitle = (row: Cells, next: Cells | undefined, width: number): boolean => {
  const filled = row.filter(isFilled).length
  if (filled === 0) return true
  if (!isFilled(row[0]) || filled * 2 > width) return false
  // A heading of two columns may lack its second name
  return width > 2 || row.length < width || (next !== undefined && widthOf(next) === 0)
}

/**
 * Whether all cells of a row can be column names. The first cell may be empty, as it is above the index column that pandas
 * writes.
 */
const canBeHeading = (row: Cells, width: number): boolean => {
  const names = row.slice(0, width)
  const given = names.filter(isFilled)
  return given.length >= names.length - 1 && widthOf(row) >= width && !given.some(isNumber)
}

/** Minimum number of rows that must follow the first row. With fewer rows, the first row can't be recognized as data. */
const MIN_ROWS = 2

/**
 * Whether the first row is data like the rows below it. If so, the table has no heading. The first row counts as data if one of
 * its values recurs below. It also counts as data if it has numbers in exactly the columns that contain only numbers below, and
 * one of its other cells can't be a name.
 */
const isLikeOthers = (first: Cells, others: readonly Cells[]): boolean => {
  if (others.length < MIN_ROWS || others.some((row) => JSON.stringify(row) === JSON.stringify(first))) return false
  const below = (no: number): readonly string[] => others.map((row) => row[no]).filter(isFilled)
  const recurs = first.some(
    (cell, no) => isFilled(cell) && !isNumber(cell) && below(no).filter((one) => one === cell).length >= 2,
  )
  if (recurs) return true
  const numeric = first.map((cell, no) => [isFilled(cell) && isNumber(cell), below(no).length > 0 && below(no).every(isNumber)])
  const areSame = numeric.every(([cell, column]) => cell === column)
  return (
    areSame &&
    numeric.some(([cell]) => cell) &&
    first.some((cell) => isFilled(cell) && !isNumber(cell) && cell.trim().includes(' '))
  )
}

/**
 * The index of the row with the column names among the first rows of a table. Rows above it are titles. Null if the table has no
 * heading.
 */
export const guessHeading = (rows: readonly Cells[]): number | null => {
  const width = usualWidth(rows)
  const index = width < 2 ? 0 : rows.findIndex((row, i) => !isTitle(row, rows[i + 1], width))
  const heading = rows[index]
  if (index > 0 && heading !== undefined && canBeHeading(heading, width)) return index
  const first = rows.findIndex((row) => widthOf(row) > 0)
  const [row = [], ...others] = rows.slice(Math.max(first, 0)).filter((one) => widthOf(one) > 0)
  return isLikeOthers(row, others) ? null : Math.max(first, 0)
}
