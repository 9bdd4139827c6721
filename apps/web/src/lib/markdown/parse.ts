import type { TokenizerAndRendererExtension } from 'marked'
import { Marked } from 'marked'
import { fenceAfter } from './fence.ts'

/**
 * The maximum length of a run of one repeated symbol or space, and the maximum length of a line outside code, in characters. A
 * Markdown parser's running time grows with the square of these lengths.
 */
const LONGEST_RUN = 1000
const LONGEST_LINE = 20_000

const hasLongRun = (text: string): boolean => {
  for (const [run] of text.matchAll(/([^\p{L}\p{N}\n])\1{20,}/gu)) if (run.length > LONGEST_RUN) return true
  return false
}

/** Removes data URLs. They don't count toward the maximum length, because the parser reads each of them in one step. */
const withoutDataUrls = (line: string): string => line.replace(/\bdata:[^\s"')>]*/g, '')

const hasLongLine = (text: string): boolean => {
  let open: string | null = null
  for (const line of text.split('\n')) {
    open = fenceAfter(line, open)
    // HTML is passed through unparsed.
    if (open !== null || line.length <= LONGEST_LINE || line.trimStart().startsWith('<')) continue
    if (withoutDataUrls(line).length > LONGEST_LINE) return true
  }
  return false
}

/** Whether text is clearly not Markdown and would take a long time to parse. Runs in linear time. */
const isTooExpensive = (text: string): boolean => hasLongRun(text) || hasLongLine(text)

const escapes: { readonly [character: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character]!)

/** `$$…$$` on separate lines. */
const formula = /^\$\$([^$]+)\$\$(?:\n|$)/
/**
 * A formula must not be longer than this, in characters. It must also start within this distance from the start of the paragraph
 * before it. Otherwise, it is shown as part of that paragraph.
 */
const maxFormulaLength = 4000

const displayMath: TokenizerAndRendererExtension = {
  name: 'displayMath',
  level: 'block',
  // A paragraph ends only at a line that starts a formula, not at a dollar sign inside a line. The parser calls this for every
  // paragraph. To save time, only the first line that starts with two dollar signs is checked.
  start: (source) => {
    const lineBreak = source.slice(0, maxFormulaLength).indexOf('\n$$')
    const line = source.slice(lineBreak + 1, lineBreak + maxFormulaLength)
    return lineBreak >= 0 && formula.test(line) ? lineBreak + 1 : -1
  },
  tokenizer: (source) => {
    // Spaces are trimmed afterwards, because a pattern that matches them next to the formula would backtrack.
    const match = formula.exec(source)
    const text = match?.[1]?.trim()
    return match && text ? { type: 'displayMath', raw: match[0], text } : undefined
  },
  renderer: (token) => `<pre class="math-display"><code>${escapeHtml(String(token['text']))}</code></pre>`,
}

/**
 * `$$…$$` with text around it: drawn in display size, inside the line. If a digit follows, the text is a price, not a formula.
 */
const displayMathInLine: TokenizerAndRendererExtension = {
  name: 'displayMathInLine',
  level: 'inline',
  tokenizer: (source) => {
    const match = /^\$\$([^$]+)\$\$(?!\d)/.exec(source)
    const text = match?.[1]?.trim()
    return match && text ? { type: 'displayMathInLine', raw: match[0], text } : undefined
  },
  // A block element would end the paragraph.
  renderer: (token) => `<code class="math-display">${escapeHtml(String(token['text']))}</code>`,
}

/**
 * `$…$` inside a line. To exclude prices, there must be no space after the first dollar sign, no space before the last one, and
 * no digit after the last one.
 */
const inlineMath: TokenizerAndRendererExtension = {
  name: 'inlineMath',
  level: 'inline',
  // Looks only for a dollar sign, because this runs for each piece of text and must be fast. It also finds formulas with two
  // dollar signs.
  start: (source) => source.indexOf('$'),
  tokenizer: (source) => {
    const match = /^\$(?!\s)((?:\\.|[^$\\\n])+?)(?<!\s)\$(?!\d)/.exec(source)
    return match ? { type: 'inlineMath', raw: match[0], text: match[1] } : undefined
  },
  renderer: (token) => `<code class="math-inline">${escapeHtml(String(token['text']))}</code>`,
}

/** Time limit for parsing, in milliseconds. Normal text takes a few milliseconds, but unclosed delimiters take quadratic time. */
const LONGEST_MS = 500
let deadline = Number.POSITIVE_INFINITY
/** Runs at each step of the parser: throws when time is up, and otherwise leaves the input to the built-in rules. */
const checkDeadline = (): false => {
  if (performance.now() > deadline) throw new Error('parsing takes too long')
  return false
}

const marked = new Marked({
  gfm: true,
  breaks: true,
  extensions: [displayMath, displayMathInLine, inlineMath],
  // The parser tries these two rules first for every block and every inline token, so they check the time often enough.
  tokenizer: { space: checkDeadline, escape: checkDeadline },
  renderer: {
    // A checkbox would be an input without an accessible name, so a character is shown instead.
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
    listitem({ task, tokens }) {
      return task && `<li class="task">${this.parser.parse(tokens)}</li>\n`
    },
  },
})

/** Returns the raw text as a paragraph with line breaks. */
const plainParagraph = (text: string): string => `<p>${escapeHtml(text).replaceAll('\n', '<br>')}</p>`

/**
 * Converts Markdown to unsanitized HTML. Text that would take too long to parse or is nested too deeply is returned unparsed.
 */
export const parseMarkdown = (text: string): string => {
  if (isTooExpensive(text)) return plainParagraph(text)
  deadline = performance.now() + LONGEST_MS
  try {
    return marked.parse(text, { async: false })
  } catch {
    return plainParagraph(text)
  }
}
