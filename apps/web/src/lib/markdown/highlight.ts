import hljs from 'highlight.js/lib/common'

/** Longer code is left plain: colouring would hold up the page. */
const longest = 20_000
/** A line, a word or a gap that nobody writes by hand: patterns of the languages take time by the square of them. */
const overlong = /[^\n]{1000}|[\w$.]{200}|\s{200}/

/** Code as HTML with classes for its colours; null for a language that is not known. */
export const highlight = (code: string, language: string): string | null =>
  code.length <= longest && !overlong.test(code) && hljs.getLanguage(language)
    ? hljs.highlight(code, { language, ignoreIllegals: true }).value
    : null
