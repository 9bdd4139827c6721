import { maxTreeDepth } from '@postil/contract/question-types/label-tree.ts'

/** A label in an editor of rows. */
export type OptionRow = {
  /** Identifies the row while its text changes. */
  readonly key: string
  readonly text: string
  /** The label's depth in a tree. 0, or omitted, for labels at the top. */
  readonly depth?: number
}

const depthOf = ({ depth = 0 }: OptionRow): number => depth

/** Returns the rows with levels reduced where needed, so that each label is at most one level deeper than the label before it. */
export const withoutGaps = <R extends OptionRow>(rows: readonly R[]): readonly R[] => {
  let deepest = 0
  return rows.map((row) => {
    const depth = Math.min(depthOf(row), deepest)
    deepest = Math.min(depth + 1, maxTreeDepth - 1)
    return depth === depthOf(row) ? row : { ...row, depth }
  })
}

/** Returns the index that follows the last descendant of the row at `index`. */
const endOf = (rows: readonly OptionRow[], index: number): number => {
  const row = rows[index]
  const end = row === undefined ? -1 : rows.findIndex((one, at) => at > index && depthOf(one) <= depthOf(row))
  return end === -1 ? rows.length : end
}

/** Returns a map from each label's key to its parent's key. Top-level labels are omitted. */
export const parentsIn = (rows: readonly OptionRow[]): ReadonlyMap<string, string> => {
  const above: string[] = []
  const parents = new Map<string, string>()
  for (const row of rows) {
    above.length = depthOf(row)
    const parent = above.at(-1)
    if (parent !== undefined) parents.set(row.key, parent)
    above.push(row.key)
  }
  return parents
}

/**
 * Moves a row and its descendants one level down or up. @returns the same list if the tree has no such level
 */
export const nestedRow = <R extends OptionRow>(rows: readonly R[], key: string, by: 1 | -1): readonly R[] => {
  const from = rows.findIndex((row) => row.key === key)
  const row = rows[from]
  const before = rows[from - 1]
  if (row === undefined || depthOf(row) + by < 0 || (by === 1 && (before === undefined || depthOf(before) < depthOf(row))))
    return rows
  const end = endOf(rows, from)
  const deepest = Math.max(...rows.slice(from, end).map(depthOf))
  if (deepest + by >= maxTreeDepth) return rows
  return rows.map((one, at) => (at >= from && at < end ? { ...one, depth: depthOf(one) + by } : one))
}

/** Splits pasted text into labels: one per line, or separated by tabs, as spreadsheets copy them. Empty labels are left out. */
export const linesOf = (pasted: string): readonly string[] =>
  pasted
    .split(/[\n\r\t]+/u)
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** A label in pasted text. */
export type PastedLabel = { readonly text: string; readonly depth: number }

/**
 * Splits pasted text into labels, as `linesOf` does. If labels can form a tree and some lines are indented, a label's parent is
 * the closest earlier line with less indentation.
 */
export const labelsIn = (pasted: string, canNest: boolean): readonly PastedLabel[] => {
  const lines = pasted.split(/[\n\r]+/u).filter((line) => line.trim() !== '')
  const indentOf = (line: string): number => line.length - line.trimStart().length
  const isOutline = canNest && lines.some((line, at) => at > 0 && indentOf(line) > indentOf(lines[0] ?? ''))
  if (!isOutline) return linesOf(pasted).map((text) => ({ text, depth: 0 }))
  const indents: number[] = []
  return lines.map((line) => {
    while ((indents.at(-1) ?? -1) >= indentOf(line)) indents.pop()
    indents.push(indentOf(line))
    return { text: line.trim(), depth: Math.min(indents.length, maxTreeDepth) - 1 }
  })
}

/**
 * Adds rows after the row with the key, or at the end if there is no such row. If the row with the key is empty, it is replaced.
 */
export const withRows = <R extends OptionRow>(rows: readonly R[], after: string | null, added: readonly R[]): readonly R[] => {
  const found = rows.findIndex(({ key }) => key === after)
  const at = found < 0 ? rows.length : found + 1
  const isReplaced = found >= 0 && rows[found]?.text.trim() === ''
  return withoutGaps([...rows.slice(0, isReplaced ? found : at), ...added, ...rows.slice(at)])
}

/**
 * Moves a row and its descendants. If `by` is 1 or -1, the row moves past its next or previous sibling, including the sibling's
 * descendants, and keeps its parent. If `by` is any other number, the row moves by this number of positions.
 * @returns the same list if the new position doesn't exist
 */
export const movedRow = <R extends OptionRow>(rows: readonly R[], key: string, by: number): readonly R[] => {
  const from = rows.findIndex((row) => row.key === key)
  const row = rows[from]
  if (row === undefined) return rows
  const end = endOf(rows, from)
  const rest = rows.filter((_, at) => at < from || at >= end)
  const insertedAt = (at: number): readonly R[] =>
    withoutGaps([...rest.slice(0, at), ...rows.slice(from, end), ...rest.slice(at)])
  if (Math.abs(by) > 1) {
    const at = from + by
    if (at < 0 || at >= rows.length || (at >= from && at < end)) return rows
    return insertedAt(at < from ? at : at - (end - from) + 1)
  }
  const isSibling = (one: R | undefined): boolean => one !== undefined && depthOf(one) === depthOf(row)
  if (by === 1) return isSibling(rows[end]) ? insertedAt(endOf(rows, end) - (end - from)) : rows
  const before = rows.findLastIndex((one, at) => at < from && depthOf(one) <= depthOf(row))
  return isSibling(rows[before]) ? insertedAt(before) : rows
}

/** Removes a row. Its descendants move up only as far as needed to leave no gap between levels. */
export const withoutRow = <R extends OptionRow>(rows: readonly R[], key: string): readonly R[] =>
  withoutGaps(rows.filter((row) => row.key !== key))

/** Whether two objects have the same content. Rows are rendered again only if something has changed. */
export const isSameContent = (a: object, b: object): boolean => {
  const values: ReadonlyMap<string, unknown> = new Map(Object.entries(b))
  return Object.keys(a).length === values.size && Object.entries(a).every(([key, value]) => values.get(key) === value)
}
