import { fenceAfter } from './fence.ts'
import type { TableCut } from './table-cuts.ts'
import { tableCuts, tableSizes } from './table-cuts.ts'

/** A part of a long Markdown text that can be parsed separately. */
export type MarkdownPart = {
  /** The source text with its line breaks. The parts together are the whole text. */
  readonly text: string
  /** The header of the table that this part continues. It is rendered before the part. */
  readonly heading: string
  /** Link definitions from the whole text, which links in this part may refer to. */
  readonly definitions: string
}

/** Shorter texts are rendered at once. Parts are about as long as `part`. */
const sizes = { longest: 20_000, part: 8000, table: tableSizes }

/** HTML can span any number of lines, so the end of a part can't be determined. */
const html = /^ {0,3}<[a-z!/?]/im
const definition = /^ {0,3}\[[^\]\n]+\]:\s*\S/
const title = /^#{1,6} /
/** A line that may continue a list, a quote, a table or code that started before the blank line. */
const continuation = /^(?:\s|[-*+>|]|\d+[.)]|$)/

const lineEnd = (text: string, from: number): number => {
  const lineBreak = text.indexOf('\n', from)
  return lineBreak < 0 ? text.length : lineBreak + 1
}

/** Whether a formula is open after a line. A formula of several lines doesn't start in a table row. */
const formulaAfter = (line: string, isOpen: boolean): boolean =>
  !isOpen && line.startsWith('|') ? isOpen : isOpen !== ((line.split('$$').length - 1) % 2 === 1)

/** Returns the places to cut the text: at a line where a block may start, and inside that block. */
const cutsAt = (text: string, at: number, line: string, table: typeof tableSizes): readonly TableCut[] => {
  if (line.startsWith('|')) return tableCuts(text, at, table)
  return at > 0 && !continuation.test(line) ? [{ at, heading: '' }] : []
}

/**
 * Finds where a new block starts after a blank line or heading, where large tables can be cut, and the link definitions outside
 * code.
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
