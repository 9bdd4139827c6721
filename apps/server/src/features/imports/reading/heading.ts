import { ESCAPE_MARK, unescapeFormula } from '@postil/contract/files/csv-cell.ts'
import { unprocessable } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import { columnLetters } from '#platform/xlsx/sheet.ts'

const MAX_COLUMNS = 1000

/** A generated name for an unnamed column: the column's letters, followed by as many `_` as needed to make the name unique. */
const lettersOf = (no: number, takenNames: ReadonlySet<string>): string => {
  let letters = columnLetters(no)
  while (takenNames.has(letters)) letters = `${letters}_`
  return letters
}

/** Column names from the cells of a heading. @throws Problem unprocessable when they aren't distinct */
export const namesOf = (cells: readonly string[]): readonly string[] => {
  if (cells.length > MAX_COLUMNS) throw unprocessable(message('tooManyColumns', { found: cells.length, limit: MAX_COLUMNS }))
  const takenNames = new Set(cells.map((cell) => cell.trim()))
  if (takenNames.size === 1 && takenNames.has('')) throw unprocessable(message('columnNameless', { column: 1 }))
  const plain = takenNames.has(ESCAPE_MARK) ? cells.map((cell) => unescapeFormula(cell.trim())) : cells.map((cell) => cell.trim())
  const names = plain.map((name, no) => name || lettersOf(no, takenNames))
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined) throw unprocessable(message('columnTwice', { column: JSON.stringify(twice) }))
  return names
}
