/**
 * Two live regions for the whole web app. They announce changes, such as saves, counts and errors, without moving the focus.
 * The same text twice in a row is announced twice.
 */
type Urgency = 'polite' | 'assertive'
const regions: { [U in Urgency]?: HTMLElement } = {}

const region = (urgency: Urgency): HTMLElement => {
  const known = regions[urgency]
  if (known?.isConnected) return known
  const created = document.createElement('div')
  created.className = 'visually-hidden announcer'
  created.setAttribute('aria-live', urgency)
  created.setAttribute('aria-atomic', 'true')
  created.setAttribute('role', urgency === 'polite' ? 'status' : 'alert')
  document.body.append(created)
  regions[urgency] = created
  return created
}

const clearAfterMs = 8000
let clearTimer: ReturnType<typeof setTimeout> | undefined

/** Adds the empty regions to the page early, because screen readers notice changes only in regions that already exist. */
export const prepareAnnouncer = (): void => {
  region('polite')
  region('assertive')
}

let pendingAnnouncement: string | null = null
/**
 * The text that was announced earlier in the current JavaScript task, or null. It has not been read out yet, so another
 * announcement would replace it.
 */
export const lastAnnouncement = (): string | null => pendingAnnouncement

/** Appended to text that is announced twice in a row. It makes the second announcement different, so that it is read out, too. */
const REPEATED = '\u00a0'

/** Whether this text is the last announcement in one of the regions. Announcements are removed after a few seconds. */
export const isAnnounced = (text: string): boolean =>
  Object.values(regions).some(({ textContent }) => textContent === text || textContent === text + REPEATED)

export const announce = (text: string, urgency: Urgency = 'polite'): void => {
  pendingAnnouncement = text
  queueMicrotask(() => {
    pendingAnnouncement = null
  })
  const target = region(urgency)
  target.textContent = target.textContent === text ? text + REPEATED : text
  clearTimeout(clearTimer)
  clearTimer = setTimeout(() => {
    for (const one of Object.values(regions)) one.textContent = ''
  }, clearAfterMs)
}
