import { fenceAfter } from './fence.ts'
import type { TableCut } from './table-cuts.ts'
import { tableCuts, tableSizes } from './table-cuts.ts'

/** A piece of a long markdown text that can be read by itself. */
export type MarkdownPart = {
  /** What is written there, line breaks included: together the parts are the text. */
  readonly text: string
  /** Of the table that it goes on with: stands before it where it is drawn. */
  readonly heading: string
  /** What a link in it may refer to from anywhere in the text. */
  readonly definitions: string
}

/** Shorter texts are drawn in one go; parts are about as long as the second says. */
const sizes = { longest: 20_000, part: 8000, table: tableSizes }

/** HTML may go on over any number of lines: then nothing tells where a piece ends. */
const html = /^ {0,3}<[a-z!/?]/im
const definition = /^ {0,3}\[[^\]\n]+\]:\s*\S/
const title = /^#{1,6} /
/** What may belong to a list, a quote, a table or code before the blank line. */
const goesOn = /^(?:\s|[-*+>|]|\d+[.)]|$)/

const lineEnd = (text: string, from: number): number => {
  const lineBreak = text.indexOf('\n', from)
  return lineBreak < 0 ? text.length : lineBreak + 1
}

/** Whether a formula is open behind a line. None of several lines begins in the row of a table. */
const formulaAfter = (line: string, isOpen: boolean): boolean =>
  !isOpen && line.startsWith('|') ? isOpen : isOpen !== ((line.split('$$').length - 1) % 2 === 1)

/** Where to cut at a line where a block may begin, and in that block. */
const cutsAt = (text: string, at: number, line: string, table: typeof tableSizes): readonly TableCut[] => {
  if (line.startsWith('|')) return tableCuts(text, at, table)
  return at > 0 && !goesOn.test(line) ? [{ at, heading: '' }] : []
}

/** Places where a new block begins behind a blank line or a heading, or a large table can be cut, and the definitions of links outside of code. */
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

/** Cuts a long text between its blocks, so that each part gives what it would give within the whole, and large tables between their rows. */
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
