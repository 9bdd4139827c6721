import { guessHeading, letterNames, namesOf } from './heading.ts'

type Lists = readonly (readonly unknown[])[]

const cellOf = (value: unknown): string | null => (value === null || value === undefined ? null : String(value))

/** Whether the first list has only names, and at least one column below it contains no strings. */
const areNames = ([first = [], ...others]: Lists): boolean =>
  first.length > 1 &&
  first.every((cell) => typeof cell === 'string' && cell.trim() !== '') &&
  new Set(first).size === first.length &&
  first.some((_, no) => others.length > 0 && others.every((row) => row[no] !== undefined && typeof row[no] !== 'string'))

/**
 * Returns the column names for a JSON list of lists. Most of these files contain no list with names.
 * @param chosen the position of the list with the names, counted from 1; 0 if there is none; undefined to guess the position
 * @returns `headingRow`: the position of the list with the names, counted in the same way
 */
export const guessListHeading = (
  lists: Lists,
  chosen?: number,
): { readonly cellNames: readonly string[]; readonly headingRow: number } => {
  const rows = lists.map((row) => row.map(cellOf))
  const headingRow = chosen ?? (areNames(lists) && guessHeading(rows) === 0 ? 1 : 0)
  const heading = headingRow === 0 ? undefined : rows[headingRow - 1]
  const width = Math.max(0, ...rows.map(({ length }) => length))
  if (heading === undefined) return { cellNames: letterNames(width), headingRow: 0 }
  return { cellNames: namesOf(Array.from({ length: Math.max(width, heading.length) }, (_, no) => heading[no] ?? '')), headingRow }
}
