/**
 * Two live regions for the whole page. What changes without a move of focus (saved, counts, errors) is said here.
 * The same text twice in a row is said twice.
 */
type Urgency = 'polite' | 'assertive'
const regions: { [U in Urgency]?: HTMLElement } = {}

const region = (urgency: Urgency): HTMLElement => {
  const known = regions[urgency]
  if (known?.isConnected) return known
  const made = document.createElement('div')
  made.className = 'visually-hidden announcer'
  made.setAttribute('aria-live', urgency)
  made.setAttribute('aria-atomic', 'true')
  made.setAttribute('role', urgency === 'polite' ? 'status' : 'alert')
  document.body.append(made)
  regions[urgency] = made
  return made
}

const clearAfterMs = 8000
let clearing: ReturnType<typeof setTimeout> | undefined

/** Puts the empty regions on the page: readers only notice changes of a region that they know. */
export const prepareAnnouncer = (): void => {
  region('polite')
  region('assertive')
}

let justNow: string | null = null
/** What was said in this same turn of the page, and so is not heard yet: whatever is said next takes its place. */
export const saidJustNow = (): string | null => justNow

export const announce = (text: string, urgency: Urgency = 'polite'): void => {
  justNow = text
  queueMicrotask(() => {
    justNow = null
  })
  const target = region(urgency)
  // NOTE: a non-breaking space makes the same words a change.
  target.textContent = target.textContent === text ? `${text}\u00a0` : text
  clearTimeout(clearing)
  clearing = setTimeout(() => {
    for (const one of Object.values(regions)) one.textContent = ''
  }, clearAfterMs)
}
