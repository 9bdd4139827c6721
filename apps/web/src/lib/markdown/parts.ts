import { fenceAfter } from './fence.ts'
import { parseMarkdown } from './parse.ts'

/** A row at which a table can be split, and the header to render before it. */
type TableCut = { readonly at: number; readonly heading: string }

/** Tables with more than `whole` cells are split into pieces of about `piece` cells. */
export const tableSizes = { whole: 4000, piece: 1000 }

const isTable = (heading: string): boolean => parseMarkdown(heading).startsWith('<table>')

/**
 * Returns the rows at which the table that starts at `start` can be split. Returns an empty list if the table is small or the
 * text isn't a table. The rows of the table must start with a pipe.
 */
const tableCuts = (text: string, start: number, { whole, piece } = tableSizes): readonly TableCut[] => {
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

/** A part of a long Markdown text that can be parsed separately. */
export type MarkdownPart = {
  /** The source text with its line breaks. The texts of all parts, joined together, are the whole text. */
  readonly text: string
  /**
   * The header of the table that this part continues. It is rendered before the part. Empty if the part doesn't continue a table.
   */
  readonly heading: string
  /** The link definitions of the whole text. Links in this part may refer to them. */
  readonly definitions: string
}

/** Text of up to `longest` characters is rendered as a whole. Longer text is split into parts of about `part` characters. */
const sizes = { longest: 20_000, part: 8000, table: tableSizes }

/** Text that contains HTML isn't split, because an HTML element can span any number of lines. */
const html = /^ {0,3}<[a-z!/?]/im
const definition = /^ {0,3}\[[^\]\n]+\]:\s*\S/
const title = /^#{1,6} /
/** A line that, after a blank line, may continue a list, a quote, a table or code. */
const continuation = /^(?:\s|[-*+>|]|\d+[.)]|$)/

const lineEnd = (text: string, from: number): number => {
  const lineBreak = text.indexOf('\n', from)
  return lineBreak < 0 ? text.length : lineBreak + 1
}

/** Whether a formula is open after a line. A multi-line formula can't start in a table row. */
const formulaAfter = (line: string, isOpen: boolean): boolean =>
  !isOpen && line.startsWith('|') ? isOpen : isOpen !== ((line.split('$$').length - 1) % 2 === 1)

/**
 * Returns the positions at which the text can be split in or before the block that this line starts. For a large table, these are
 * positions between its rows. For other blocks, it is the start of the line. Empty if the line continues a block.
 */
const cutsAt = (text: string, at: number, line: string, table: typeof tableSizes): readonly TableCut[] => {
  if (line.startsWith('|')) return tableCuts(text, at, table)
  return at > 0 && !continuation.test(line) ? [{ at, heading: '' }] : []
}

/**
 * Finds the positions where the text can be split, and the link definitions outside code. Text can be split inside large tables,
 * and where a block starts after a blank line or a heading.
 */
const scan = (
  text: string,
  table: typeof tableSizes,
): { readonly cuts: readonly TableCut[]; readonly definitions: readonly string[] } => {
  const cuts: TableCut[] = []
  const definitions: string[] = []
  let open: string | null = null
  let isInFormula = false
  let mayBegin = true
  for (let at = 0; at < text.length; ) {
    const end = lineEnd(text, at)
    const line = text.slice(at, end)
    if (open === null && !isInFormula && mayBegin) cuts.push(...cutsAt(text, at, line, table))
    const before = open
    open = fenceAfter(line, open)
    if (open === null && before === null) {
      isInFormula = formulaAfter(line, isInFormula)
      if (!isInFormula && definition.test(line)) definitions.push(line.trim())
    }
    mayBegin = open === null && (line.trim() === '' || title.test(line))
    at = end
  }
  return { cuts, definitions }
}

/**
 * Splits a long text between its blocks, and large tables between their rows. Each part must render as it would within the
 * whole text.
 */
export const markdownParts = (text: string, { longest, part, table } = sizes): readonly MarkdownPart[] => {
  if (text.length <= longest || html.test(text)) return [{ text, heading: '', definitions: '' }]
  const { cuts, definitions } = scan(text, table)
  const parts: MarkdownPart[] = []
  const all = definitions.length > 0 ? `\n\n${definitions.join('\n')}` : ''
  let begin: TableCut = { at: 0, heading: '' }
  for (const cut of [...cuts, { at: text.length, heading: '' }]) {
    if (cut.at < text.length && cut.heading === '' && cut.at - begin.at < part) continue
    parts.push({ text: text.slice(begin.at, cut.at), heading: begin.heading, definitions: all })
    begin = cut
  }
  return parts
}
