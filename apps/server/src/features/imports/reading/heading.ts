import { unprocessable } from '@postil/contract/wire/errors.ts'
import { sayRefusal } from '@postil/contract/wire/refusals.ts'

const MAX_COLUMNS = 1000

/** Refuses columns that could not be told apart. @throws Problem unprocessable */
export const checkNames = (names: readonly string[]): void => {
  if (names.length > MAX_COLUMNS) throw unprocessable(sayRefusal('tooManyColumns', { found: names.length, limit: MAX_COLUMNS }))
  const nameless = names.indexOf('')
  if (nameless !== -1) throw unprocessable(sayRefusal('columnNameless', { column: nameless + 1 }))
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined) throw unprocessable(sayRefusal('columnTwice', { column: JSON.stringify(twice) }))
}
