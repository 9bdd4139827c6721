import { moveOption } from './option-settings.ts'

/** A label in an editor of rows. */
export type OptionRow = {
  /** Identifies the row while its text changes. */
  readonly key: string
  readonly text: string
}

/** Splits pasted text into labels: one per line, or separated by tabs, as spreadsheets copy them. Empty ones are left out. */
export const linesOf = (pasted: string): readonly string[] =>
  pasted
    .split(/[\n\r\t]+/u)
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Adds rows after one of the rows, or at the end if none has the key. A row that is empty is replaced. */
export const withRows = <R extends OptionRow>(rows: readonly R[], after: string | null, added: readonly R[]): readonly R[] => {
  const found = rows.findIndex(({ key }) => key === after)
  const at = found < 0 ? rows.length : found + 1
  const isReplaced = found >= 0 && rows[found]?.text.trim() === ''
  return [...rows.slice(0, isReplaced ? found : at), ...added, ...rows.slice(at)]
}

/** Moves a row by a number of places. @returns the same list if there is no such place */
export const movedRow = <R extends OptionRow>(rows: readonly R[], key: string, by: number): readonly R[] => {
  const from = rows.findIndex((row) => row.key === key)
  return moveOption(rows, from, from + by)
}

/** Whether two objects have the same content, so that a row is drawn again only if something has changed. */
export const isSameContent = (a: object, b: object): boolean => {
  const values: ReadonlyMap<string, unknown> = new Map(Object.entries(b))
  return Object.keys(a).length === values.size && Object.entries(a).every(([key, value]) => values.get(key) === value)
}
