import { fenceAfter } from './fence.ts'

/** A piece of a long markdown text that can be read by itself. */
export type MarkdownPart = {
  /** What is written there, line breaks included: together the parts are the text. */
  readonly text: string
  /** What a link in it may refer to from anywhere in the text. */
  readonly definitions: string
}

/** Shorter texts are drawn in one go; parts are about as long as the second says. */
const sizes = { longest: 20_000, part: 8000 }

/** HTML may go on over any number of lines: then nothing tells where a piece ends. */
const html = /^ {0,3}<[a-z!/?]/im
const definition = /^ {0,3}\[[^\]\n]+\]:\s*\S/
/** What may belong to a list, a quote, a table or code before the blank line. */
const goesOn = /^(?:\s|[-*+>|]|\d+[.)]|$)/

const lineEnd = (text: string, from: number): number => {
  const lineBreak = text.indexOf('\n', from)
  return lineBreak < 0 ? text.length : lineBreak + 1
}

/** Places where a new block begins behind a blank line, and the definitions of links outside of code. */
const scan = (text: string): { readonly cuts: readonly number[]; readonly definitions: readonly string[] } => {
  const cuts: number[] = []
  const definitions: string[] = []
  let open: string | null = null
  let isInFormula = false
  let isAfterBlank = false
  for (let at = 0; at < text.length; ) {
    const end = lineEnd(text, at)
    const line = text.slice(at, end)
    if (open === null && !isInFormula && isAfterBlank && !goesOn.test(line)) cuts.push(at)
    const before = open
    open = fenceAfter(line, open)
    if (open === null && before === null) {
      if ((line.split('$$').length - 1) % 2 === 1) isInFormula = !isInFormula
      if (!isInFormula && definition.test(line)) definitions.push(line.trim())
    }
    isAfterBlank = open === null && line.trim() === ''
    at = end
  }
  return { cuts, definitions }
}

/** Cuts a long text between its blocks, so that each part gives what it would give within the whole. */
export const markdownParts = (text: string, { longest, part } = sizes): readonly MarkdownPart[] => {
  if (text.length <= longest || html.test(text)) return [{ text, definitions: '' }]
  const { cuts, definitions } = scan(text)
  const parts: MarkdownPart[] = []
  const all = definitions.length > 0 ? `\n\n${definitions.join('\n')}` : ''
  let start = 0
  for (const cut of [...cuts, text.length]) {
    if (cut < text.length && cut - start < part) continue
    parts.push({ text: text.slice(start, cut), definitions: all })
    start = cut
  }
  return parts
}
