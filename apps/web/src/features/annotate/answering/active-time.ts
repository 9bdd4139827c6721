import { maxActiveMs } from '@postil/contract/wire/limits.ts'
import { idleAfter } from '#lib/constants.ts'

/**
 * Measures how long one user actively works on records: while a record is on the screen, the page is in view, and the last input
 * is recent. A visit to a record counts for at most 30 minutes.
 * @param now returns the time in milliseconds
 */
export const createActiveTime = (now: () => number) => {
  /** The time that hasn't been sent, keyed by record ID. */
  const unsent = new Map<string, number>()
  let recordId: string | null = null
  let inView = true
  let lastInput = now()
  /** The time up to which active time has been counted. */
  let countedTo = now()
  /** The time counted in the current visit. */
  let visit = 0

  const add = (id: string, ms: number): void => void unsent.set(id, (unsent.get(id) ?? 0) + ms)

  const count = (): void => {
    const at = now()
    if (recordId !== null && inView) {
      const ms = Math.min(Math.max(0, Math.min(at, lastInput + idleAfter) - countedTo), maxActiveMs - visit)
      visit += ms
      add(recordId, ms)
    }
    countedTo = at
  }

  return {
    /** Begins a visit to a record. Null ends the visit. */
    show: (id: string | null): void => {
      count()
      recordId = id
      visit = 0
    },
    noteInput: (): void => {
      count()
      lastInput = now()
    },
    /** Notes whether the page is visible and focused. Returning to it counts as input. */
    setInView: (isInView: boolean): void => {
      count()
      if (isInView && !inView) lastInput = now()
      inView = isInView
    },
    /**
     * Returns a record's active time that hasn't been sent yet, in whole milliseconds. The remainder is sent with the next
     * answer.
     */
    take: (id: string): number => {
      count()
      const all = unsent.get(id) ?? 0
      const ms = Math.min(Math.floor(all), maxActiveMs)
      unsent.set(id, all - ms)
      return ms
    },
    /** Takes back time that was not sent after all. */
    giveBack: add,
  }
}
export type ActiveTime = ReturnType<typeof createActiveTime>

const inputs = ['keydown', 'input', 'click', 'pointerdown', 'pointermove', 'wheel', 'touchmove'] as const

const isInView = (): boolean => document.visibilityState === 'visible' && document.hasFocus()

let current: { readonly userId: string; readonly activeTime: ActiveTime } | null = null

const listen = (): void => {
  const options = { capture: true, passive: true }
  for (const type of inputs) window.addEventListener(type, () => current?.activeTime.noteInput(), options)
  const noteView = (): void => current?.activeTime.setInView(isInView())
  // These events also fire when the focus moves between the page and a frame inside it. The page still counts as focused then.
  for (const type of ['focus', 'blur', 'pageshow', 'pagehide']) window.addEventListener(type, noteView)
  document.addEventListener('visibilitychange', noteView)
}

/** Returns the tracker of a user's active time in this tab. It outlives the screen, so that time isn't lost before it is sent. */
export const activeTimeOf = (userId: string): ActiveTime => {
  if (current?.userId === userId) return current.activeTime
  if (current === null) listen()
  const activeTime = createActiveTime(() => performance.now())
  current = { userId, activeTime }
  activeTime.setInView(isInView())
  return activeTime
}
