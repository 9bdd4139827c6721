import hljs from 'highlight.js/lib/common'

/** Returns HTML with classes for the colors, or null for an unknown language. */
const highlightToHtml = (code: string, language: string): string | null =>
  hljs.getLanguage(language) ? hljs.highlight(code, { language, ignoreIllegals: true }).value : null

self.onmessage = ({ data: { code, language } }: MessageEvent<{ code: string; language: string }>): void =>
  self.postMessage(highlightToHtml(code, language))
self.postMessage('ready')
