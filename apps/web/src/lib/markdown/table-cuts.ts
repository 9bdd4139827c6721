import { parseMarkdown } from './parse.ts'

/** A row at which a table can be split, and the header to render before it. */
export type TableCut = { readonly at: number; readonly heading: string }

/** Tables with more than `whole` cells are split into pieces of about `piece` cells. */
export const tableSizes = { whole: 4000, piece: 1000 }

const isTable = (heading: string): boolean => parseMarkdown(heading).startsWith('<table>')

/**
 * Returns where the table that starts at `start` can be split; empty if it is small or not a table. Its rows must start with a
 * pipe.
 */
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
