import { fillTemplate } from './content.ts'
import { markFound } from './marks.ts'
import type { FontsMessage, FrameMessage, RenderMessage } from './messages.ts'
import { applyTheme, themeSheet } from './theme.ts'

/*
 * The document of a custom field. It lives in an origin of its own, which owns nothing: whatever a template does in here,
 * it reaches neither the session nor the page. Template and record come from the page around it, the height goes back.
 */
const send = (message: FrameMessage): void => window.parent.postMessage(message, '*')

const isOfType = <M extends { readonly type: string }>(data: unknown, type: M['type']): data is M =>
  typeof data === 'object' && data !== null && (data as { type?: unknown }).type === type

let lastHeight = -1
const reportHeight = (): void => {
  const height = Math.ceil(document.documentElement.getBoundingClientRect().height)
  if (height === lastHeight) return
  lastHeight = height
  send({ type: 'postil:height', height })
}

const resized = new ResizeObserver(reportHeight)
let shown: string | null = null

const contentOf = ({ template, advanced, record }: RenderMessage): string =>
  advanced ? template : fillTemplate(template, record)

/** Writes the document anew, so that its scripts run in order and its load events fire as in any page. */
const write = (message: RenderMessage): void => {
  let content = ''
  try {
    content = contentOf(message)
  } catch (error) {
    send({ type: 'postil:error', message: error instanceof Error ? error.message : String(error) })
  }
  // A template of the advanced kind reads `record` as if it were declared in the page.
  Object.assign(window, { record: message.record })
  document.open()
  // NOTE: opening a document anew takes its listeners away.
  listen()
  document.write(`<!doctype html><html><head><meta charset="utf-8">${themeSheet}`)
  applyTheme(message.theme)
  document.write(content)
  document.close()
  resized.disconnect()
  resized.observe(document.documentElement)
  markFound(message.search ?? null)
  reportHeight()
}

const receive = (event: MessageEvent): void => {
  // Only the page around may say what is shown, no frame that the template might have got.
  if (event.source !== window.parent) return
  if (isOfType<FontsMessage>(event.data, 'postil:fonts')) {
    for (const { family, bytes, descriptors } of event.data.fonts) document.fonts.add(new FontFace(family, bytes, descriptors))
  }
  if (!isOfType<RenderMessage>(event.data, 'postil:render')) return
  const { template, advanced, record, theme, search } = event.data
  const wanted = JSON.stringify([template, advanced, record])
  if (shown === wanted) {
    applyTheme(theme)
    markFound(search ?? null)
    // The page around may ask only to know whether this document is there.
    lastHeight = -1
    reportHeight()
  }
  // What the scripts of the record before declared is still there: only a new document is empty. It asks again when it is ready.
  else if (shown !== null) location.reload()
  else {
    shown = wanted
    write(event.data)
  }
}

const listen = (): void => {
  window.addEventListener('message', receive)
  window.addEventListener('error', (event) => send({ type: 'postil:error', message: event.message }))
}

listen()
send({ type: 'postil:ready' })
