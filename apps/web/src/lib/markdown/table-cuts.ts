import { parseMarkdown } from './parse.ts'

/** A row at which a table can be gone on with, and the heading that stands before it there. */
export type TableCut = { readonly at: number; readonly heading: string }

/** Tables with more cells are not drawn in one go; the pieces of those have about as many as the second says. */
export const tableSizes = { whole: 4000, piece: 1000 }

const isTable = (heading: string): boolean => parseMarkdown(heading).startsWith('<table>')

/** Where the table that begins at `start` can be cut; nowhere if it is small, or none. Its rows begin with the sign between cells. */
export const tableCuts = (text: string, start: number, { whole, piece } = tableSizes): readonly TableCut[] => {
  const lines: number[] = []
  let at = start
  while (at < text.length && text[at] === '|') {
    lines.push(at)
    const end = text.indexOf('\n', at)
    at = end < 0 ? text.length : end + 1
  }
  const [, dashes, first] = lines
  if (dashes === undefined || first === undefined) return []
  const columns = text.slice(dashes, first).trim().split('|').length - 2
  if (lines.length * columns <= whole) return []
  const heading = text.slice(start, first)
  const rows = Math.max(1, Math.floor(piece / columns))
  return isTable(heading)
    ? lines.slice(2).flatMap((line, row) => (row > 0 && row % rows === 0 ? [{ at: line, heading }] : []))
    : []
}
