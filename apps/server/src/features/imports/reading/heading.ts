import { unprocessable } from '@postil/contract/errors.ts'

const MAX_COLUMNS = 1000

/** Refuses columns that could not be told apart. @throws Problem unprocessable */
export const checkNames = (names: readonly string[]): void => {
  if (names.length > MAX_COLUMNS) throw unprocessable(`The file has ${names.length} columns; at most ${MAX_COLUMNS} can be read`)
  const nameless = names.indexOf('')
  if (nameless !== -1) throw unprocessable(`Column ${nameless + 1} of the file has no name in the first line`)
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice !== undefined) throw unprocessable(`Two columns of the file are named ${JSON.stringify(twice)}`)
}
