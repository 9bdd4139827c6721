import hljs from 'highlight.js/lib/common'

/** As HTML with classes for its colours; null for a language that is not known. */
const coloured = (code: string, language: string): string | null =>
  hljs.getLanguage(language) ? hljs.highlight(code, { language, ignoreIllegals: true }).value : null

self.onmessage = ({ data: { code, language } }: MessageEvent<{ code: string; language: string }>): void =>
  self.postMessage(coloured(code, language))
self.postMessage('ready')
