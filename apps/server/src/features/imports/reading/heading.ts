import { unprocessable } from '@postil/contract/wire/errors.ts'
import { sayRefusal } from '@postil/contract/wire/refusals.ts'
import { columnLetters } from '#platform/xlsx/sheet.ts'

const MAX_COLUMNS = 1000

/** What a column without a name is called: by its letters, with a sign behind them where another column has those for its name. */
const lettersOf = (no: number, given: ReadonlySet<string>): string => {
  let letters = columnLetters(no)
  while (given.has(letters)) letters = `${letters}_`
  return letters
}

/** Names of columns by the cells of a heading. @throws Problem unprocessable where they could not be told apart */
export const namesOf = (cells: readonly string[]): readonly string[] => {
  if (cells.length > MAX_COLUMNS) throw unprocessable(sayRefusal('tooManyColumns', { found: cells.length, limit: MAX_COLUMNS }))
  const given = new Set(cells.map((cell) => cell.trim()))
  if (given.size === 1 && given.has('')) throw unprocessable(sayRefusal('columnNameless', { column: 1 }))
  const names = cells.map((cell, no) => cell.trim() || lettersOf(no, given))
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined) throw unprocessable(sayRefusal('columnTwice', { column: JSON.stringify(twice) }))
  return names
}
