import hljs from 'highlight.js/lib/common'

/** Longer code is left plain: colouring would hold up the page. */
const longest = 50_000

/** Code as HTML with classes for its colours; null for a language that is not known. */
export const highlight = (code: string, language: string): string | null =>
  code.length <= longest && hljs.getLanguage(language) ? hljs.highlight(code, { language, ignoreIllegals: true }).value : null
