import { fillTemplate } from './content.ts'
import { firstFound, markFound } from './marks.ts'
import type { FontsMessage, FrameMessage, RenderMessage } from './messages.ts'
import { applyTheme, sheetsFor } from './theme.ts'

/*
 * The document of a custom field. It lives in an origin of its own, which owns nothing: whatever a template does in here,
 * it reaches neither the session nor the page. Template and record come from the page around it, the height goes back.
 */
const send = (message: FrameMessage): void => window.parent.postMessage(message, '*')

const isOfType = <M extends { readonly type: string }>(data: unknown, type: M['type']): data is M =>
  typeof data === 'object' && data !== null && (data as { type?: unknown }).type === type

/** How far what is in the document goes beyond its own box while that has this height. */
let reach = { own: -1, to: 0 }

const heightNow = (): number => {
  const { clientHeight, scrollHeight } = document.documentElement
  const own = Math.ceil(document.documentElement.getBoundingClientRect().height)
  // A document that is told to be as tall as its window, or whose parts are positioned, only says by how far it scrolls what it takes.
  if (scrollHeight > Math.max(own, clientHeight)) reach = { own, to: scrollHeight }
  // A bar to scroll sideways takes its height from the window.
  return (reach.own === own ? reach.to : own) + window.innerHeight - clientHeight
}

let lastHeight = -1
/** The height of the window when that was said. */
let lastWindow = 0
/** How often on end it took more when its window had another height, and how often it may. */
let steps = 0
const mostSteps = 5

/** What goes with the height of its window would grow without end. */
const reportHeight = (): void => {
  const height = heightNow()
  if (height === lastHeight || (height > lastHeight && steps >= mostSteps)) return
  if (lastHeight >= 0 && height > lastHeight && window.innerHeight !== lastWindow) steps += 1
  lastHeight = height
  lastWindow = window.innerHeight
  send({ type: 'postil:height', height })
}

/** It has what it has asked for, and takes no more. NOTE: a busy browser says that the window was resized after what came of that was seen */
const settle = (): void => {
  if (window.innerHeight < lastHeight - 1 || heightNow() > lastHeight) return
  steps = 0
  lastWindow = window.innerHeight
}

const tellFound = (): void => {
  const found = firstFound()
  if (found) send({ type: 'postil:found', ...found })
}

const resized = new ResizeObserver(() => {
  tellFound()
  reportHeight()
})
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
  document.write(`<!doctype html><html><head><meta charset="utf-8">${sheetsFor(message.template)}`)
  applyTheme(message.theme)
  document.write(content)
  document.close()
  resized.disconnect()
  for (const box of [document.documentElement, ...(document.body?.children ?? [])]) resized.observe(box)
  markFound(message.search ?? null, tellFound)
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
    markFound(search ?? null, tellFound)
    // The page around may ask only to know whether this document is there.
    send({ type: 'postil:height', height: lastHeight })
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
  window.addEventListener('resize', settle)
  window.addEventListener('error', (event) => send({ type: 'postil:error', message: event.message }))
}

listen()
send({ type: 'postil:ready' })
