import Handlebars from 'handlebars'
import { firstMatch, markMatches } from './marks.ts'
import type { FontsMessage, FrameMessage, FrameTheme, RenderMessage } from './messages.ts'
import { policyOf } from './policy.ts'

/** Each paragraph takes the direction of its first letter. */
const ownDirections = `<style>@layer page {
:is(address, article, aside, blockquote, body, caption, dd, details, div, dl, dt, figcaption, figure, footer, h1, h2, h3, h4, h5, h6, header, li, main, nav, p, pre, section, summary, td, th) { unicode-bidi: plaintext; }
}</style>`

/**
 * Returns the default style sheets for a template. If the template sets its own text direction, the direction is left
 * unchanged.
 */
const sheetsFor = (template: string): string =>
  /\bdir\s{0,9}=|(?<!-)direction\s{0,9}:|unicode-bidi/i.test(template) ? themeSheet : themeSheet + ownDirections

/** The page's text and background colors. A template's own styles are in no layer, so they override these. */
const themeSheet = `<style>@layer page {
html { color-scheme: var(--frame-scheme); background: var(--surface, Canvas); }
body { margin: 0; color: var(--ink); font: 1rem/1.6 var(--font-sans, system-ui), sans-serif; font-kerning: none; overflow-wrap: anywhere; }
img, video, svg, canvas { max-width: 100%; height: auto; }
pre { white-space: pre-wrap; }
table { border-collapse: collapse; }
a { color: inherit; }
::highlight(postil-search) { background-color: var(--mark); color: var(--ink); }
}</style>`

const applyTheme = ({ dark, properties }: FrameTheme): void => {
  const { style } = document.documentElement
  style.setProperty('--frame-scheme', dark ? 'dark' : 'light')
  for (const [name, value] of Object.entries(properties)) style.setProperty(name, value)
}

/** The output is escaped in `{{json x}}` and unescaped in `{{{json x}}}`. */
const printJson = (value: unknown): string => JSON.stringify(value, null, 2)

/**
 * Fills a template in basic mode: Handlebars with `record` and a `json` helper. `{{ }}` escapes values. Throws on a broken
 * template.
 */
const fillTemplate = (template: string, record: { readonly [key: string]: unknown }): string => {
  const engine = Handlebars.create()
  engine.registerHelper('json', printJson)
  return engine.compile(template)({ record })
}

/* The document of a custom field. It has its own opaque origin, so a template can access neither the session nor the web app.
   The web app sends the template and the record; the frame reports its height. */
const send = (message: FrameMessage): void => window.parent.postMessage(message, '*')

const isOfType = <M extends { readonly type: string }>(data: unknown, type: M['type']): data is M =>
  typeof data === 'object' && data !== null && (data as { type?: unknown }).type === type

/** `to`: the scroll height that the content needs. `own`: the height of the document's box when `to` was measured. */
let overflow = { own: -1, to: 0 }

const heightNow = (): number => {
  const { clientHeight, scrollHeight } = document.documentElement
  const own = Math.ceil(document.documentElement.getBoundingClientRect().height)
  // If the document is as tall as its window or has positioned content, only the scroll height gives the height that it needs.
  if (scrollHeight > Math.max(own, clientHeight)) overflow = { own, to: scrollHeight }
  // A horizontal scroll bar reduces the usable height of the window.
  return (overflow.own === own ? overflow.to : own) + window.innerHeight - clientHeight
}

let lastHeight = -1
/** The window's height at the last report. */
let lastWindow = 0
/** Counts how often the document has grown after the window's height has changed. `maxGrowthSteps` is the limit. */
let growthSteps = 0
const maxGrowthSteps = 5

/**
 * Reports the document's height. Limits the growth, because content that is sized relative to the window would grow forever.
 */
const reportHeight = (): void => {
  const height = heightNow()
  if (height === lastHeight || (height > lastHeight && growthSteps >= maxGrowthSteps)) return
  if (lastHeight >= 0 && height > lastHeight && window.innerHeight !== lastWindow) growthSteps += 1
  lastHeight = height
  lastWindow = window.innerHeight
  send({ type: 'postil:height', height })
}

/**
 * Resets the growth count if the window has the reported height and the content needs no more height. A busy browser may fire
 * `resize` only after the resize observer has seen the resulting layout.
 */
const resetGrowth = (): void => {
  if (window.innerHeight < lastHeight - 1 || heightNow() > lastHeight) return
  growthSteps = 0
  lastWindow = window.innerHeight
}

const reportMatch = (): void => {
  const found = firstMatch()
  if (found) send({ type: 'postil:found', ...found })
}

const resizeObserver = new ResizeObserver(() => {
  reportMatch()
  reportHeight()
})
let shown: string | null = null
/** The origins that the server lists for templates. Read now, because the template replaces the document. */
const sources = (document.documentElement.dataset['sources'] ?? '').split(' ').filter((source) => source !== '')

const contentOf = ({ template, advanced, record }: RenderMessage): string =>
  advanced ? template : fillTemplate(template, record)

/** Rewrites the document, so that its scripts run in order and its load events fire as in a normal page load. */
const write = (message: RenderMessage): void => {
  let content = ''
  try {
    content = contentOf(message)
  } catch (error) {
    send({ type: 'postil:error', message: error instanceof Error ? error.message : String(error) })
  }
  // An advanced template reads `record` as a global variable.
  Object.assign(window, { record: message.record })
  document.open()
  // Reopening a document removes its listeners.
  listen()
  // A tab that was opened before a server update sends no origins.
  const { images = [] } = message
  // The policy comes first. It applies to everything that is parsed after it, and scripts can't remove it.
  const policy = `<meta http-equiv="Content-Security-Policy" content="${policyOf(images, sources)}">`
  document.write(`<!doctype html><html><head><meta charset="utf-8">${policy}${sheetsFor(message.template)}`)
  applyTheme(message.theme)
  document.write(content)
  document.close()
  resizeObserver.disconnect()
  for (const box of [document.documentElement, ...(document.body?.children ?? [])]) resizeObserver.observe(box)
  markMatches(message.search ?? null, message.ignoresAccents ?? false, reportMatch)
  reportHeight()
}

const receive = (event: MessageEvent): void => {
  // Only the parent page may set the content. Frames inside the template may not.
  if (event.source !== window.parent) return
  if (isOfType<FontsMessage>(event.data, 'postil:fonts')) {
    for (const { family, bytes, descriptors } of event.data.fonts) document.fonts.add(new FontFace(family, bytes, descriptors))
  }
  if (!isOfType<RenderMessage>(event.data, 'postil:render')) return
  const { template, advanced, record, theme, search, ignoresAccents } = event.data
  const wanted = JSON.stringify([template, advanced, record])
  if (shown === wanted) {
    applyTheme(theme)
    markMatches(search ?? null, ignoresAccents ?? false, reportMatch)
    // The parent page may repeat a message just to check that this document exists.
    send({ type: 'postil:height', height: lastHeight })
  }
  // The previous record's scripts have left globals that only a reload clears. The new document asks for its content when it is
  // ready.
  else if (shown !== null) location.reload()
  else {
    shown = wanted
    write(event.data)
  }
}

const listen = (): void => {
  window.addEventListener('message', receive)
  window.addEventListener('resize', resetGrowth)
  window.addEventListener('error', (event) => send({ type: 'postil:error', message: event.message }))
  window.addEventListener('securitypolicyviolation', ({ blockedURI, effectiveDirective }) => {
    // The server's operator can allow only these kinds of requests, so a message about another kind would not help.
    const canBeAllowed = /^(?:script|style|font|img|media)-src/.test(effectiveDirective) && /^https?:/.test(blockedURI)
    if (canBeAllowed) send({ type: 'postil:blocked', origin: new URL(blockedURI).origin })
  })
}

// WebRTC isn't restricted by any policy that browsers implement, so its constructors are removed. A frame that is nested in this
// one still has these constructors.
for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection'])
  Object.defineProperty(window, name, { value: undefined, configurable: false, writable: false })

listen()
send({ type: 'postil:ready' })
