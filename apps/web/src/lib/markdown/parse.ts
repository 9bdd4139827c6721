import type { TokenizerAndRendererExtension } from 'marked'
import { Marked } from 'marked'
import { isEndless } from './endless.ts'

const escapes: { readonly [character: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character]!)

/** `$$…$$` on lines of its own. */
const formula = /^\$\$([^$]+)\$\$(?:\n|$)/
/** Characters of a paragraph before a formula, and of the formula; where there are more it stands in the paragraph. */
const longestAhead = 4000

const displayMath: TokenizerAndRendererExtension = {
  name: 'displayMath',
  level: 'block',
  // A paragraph ends where it begins: at a line that is a formula, not at any sign inside of one. Asked for each paragraph, so it looks at one place.
  start: (source) => {
    const lineBreak = source.slice(0, longestAhead).indexOf('\n$$')
    const line = source.slice(lineBreak + 1, lineBreak + longestAhead)
    return lineBreak >= 0 && formula.test(line) ? lineBreak + 1 : -1
  },
  tokenizer: (source) => {
    // Blanks are cut off afterwards: a pattern that looks for them beside what it takes tries every way to share them out.
    const match = formula.exec(source)
    const text = match?.[1]?.trim()
    return match && text ? { type: 'displayMath', raw: match[0], text } : undefined
  },
  renderer: (token) => `<pre class="math-display"><code>${escapeHtml(String(token['text']))}</code></pre>`,
}

/** `$$…$$` with words before or after it: drawn as large, in its place. After it no digit, which would make it a price. */
const displayMathInLine: TokenizerAndRendererExtension = {
  name: 'displayMathInLine',
  level: 'inline',
  tokenizer: (source) => {
    const match = /^\$\$([^$]+)\$\$(?!\d)/.exec(source)
    const text = match?.[1]?.trim()
    return match && text ? { type: 'displayMathInLine', raw: match[0], text } : undefined
  },
  // A block of its own would end the paragraph.
  renderer: (token) => `<code class="math-display">${escapeHtml(String(token['text']))}</code>`,
}

/** `$…$` inside a line; a price is none: no blank after the first sign, none before the last, no digit after it. */
const inlineMath: TokenizerAndRendererExtension = {
  name: 'inlineMath',
  level: 'inline',
  // Those with two signs begin there too: asked for each piece of text, so it looks for one sign alone.
  start: (source) => source.indexOf('$'),
  tokenizer: (source) => {
    const match = /^\$(?!\s)((?:\\.|[^$\\\n])+?)(?<!\s)\$(?!\d)/.exec(source)
    return match ? { type: 'inlineMath', raw: match[0], text: match[1] } : undefined
  },
  renderer: (token) => `<code class="math-inline">${escapeHtml(String(token['text']))}</code>`,
}

/** Milliseconds of a reading. People's texts take a few; signs that open and never close take it by the square of the text. */
const LONGEST_MS = 500
let until = Number.POSITIVE_INFINITY
/** Is asked at each step, and leaves it to the reader. */
const inTime = (): false => {
  if (performance.now() > until) throw new Error('it takes too long to read')
  return false
}

const marked = new Marked({
  gfm: true,
  breaks: true,
  extensions: [displayMath, displayMathInLine, inlineMath],
  // The first that a block, and what is in a line, is tried as.
  tokenizer: { space: inTime, escape: inTime },
  renderer: {
    // A check box would be an input without a name.
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
    listitem({ task, tokens }) {
      return task && `<li class="task">${this.parser.parse(tokens)}</li>\n`
    },
  },
})

/** Text as it is written, with its lines. */
const asWritten = (text: string): string => `<p>${escapeHtml(text).replaceAll('\n', '<br>')}</p>`

/** Markdown as HTML that is not safe yet. What would keep the page busy for long, or is nested without end, comes as it is written. */
export const parseMarkdown = (text: string): string => {
  if (isEndless(text)) return asWritten(text)
  until = performance.now() + LONGEST_MS
  try {
    return marked.parse(text, { async: false })
  } catch {
    return asWritten(text)
  }
}
