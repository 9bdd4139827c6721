import { message, type Reason } from '@postil/contract/wire/message.ts'

/** The cells of a row, or the row's fault. An empty cell is null unless it is quoted. */
export type Cells = { readonly cells: readonly (string | null)[] } | { readonly fault: Reason }

/** A cell, and the position after the cell. Functions return null instead if a quote is never closed. */
type Read = { readonly cell: string | null; readonly end: number }

/** @param open position of the quote */
const readQuoted = (text: string, open: number): Read | null => {
  let cell = ''
  for (let from = open + 1; ; ) {
    const close = text.indexOf('"', from)
    if (close === -1) return null
    cell += text.slice(from, close)
    if (text[close + 1] !== '"') return { cell, end: close + 1 }
    cell += '"'
    from = close + 2
  }
}

const readBare = (text: string, from: number, delimiter: string): Read => {
  const next = text.indexOf(delimiter, from)
  const end = next === -1 ? text.length : next
  return { cell: end === from ? null : text.slice(from, end), end }
}

const withoutLineEnding = (line: string): string => line.replace(/\r?\n$|\r$/, '')

/** Splits a row of a table in which quotes are text. @param line the row, including its line ending */
export const splitCells = (line: string, delimiter: string): readonly (string | null)[] =>
  withoutLineEnding(line)
    .split(delimiter)
    .map((cell) => (cell === '' ? null : cell))

/**
 * Reads one row of a table (RFC 4180). A quote is literal unless the cell begins with one.
 * @param line the row, including its line ending
 */
export const readCells = (line: string, delimiter: string): Cells => {
  const text = withoutLineEnding(line)
  const cells: (string | null)[] = []
  for (let at = 0; ; at += 1) {
    const isQuoted = text[at] === '"'
    const read = isQuoted ? readQuoted(text, at) : readBare(text, at, delimiter)
    if (read === null) return { fault: message('quoteOpen', { cell: cells.length + 1 }) }
    cells.push(read.cell)
    at = read.end
    if (at === text.length) return { cells }
    if (text[at] !== delimiter) return { fault: message('quoteFollowed', { cell: cells.length }) }
  }
}

/** Delimiters that are recognized. If several fit equally well, the first one is used. */
export const delimiters = [',', ';', '\t', '|'] as const

/** The delimiter of a table with one column. Text never contains NUL characters. */
export const noDelimiter = '\0'

/**
 * The delimiter that occurs most often in a heading, outside quotes. A vertical bar is used only if the heading contains no other
 * delimiter.
 */
export const delimiterIn = (heading: string): string => {
  const bare = heading.replace(/"[^"]*"/g, '')
  const count = (mark: string) => bare.split(mark).length
  const most = [',', ';', '\t'].reduce((best, mark) => (count(mark) > count(best) ? mark : best))
  return count(most) === 1 && count('|') > 1 ? '|' : most
}
