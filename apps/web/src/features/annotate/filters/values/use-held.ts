import { useEffect, useRef, useState } from 'react'
import { filterPause } from '#lib/constants.ts'

type Held<T> = {
  /** The value with the changes that are still held back. */
  readonly held: T
  readonly change: (value: T) => void
  /** Lets go at once of what is held back. */
  readonly flush: () => void
}

type Draft<T> = {
  /** What the value may be for the draft to count: as it was then, and what it was to become. */
  readonly over: readonly (string | null)[]
  readonly value: T
}

/**
 * Holds changes of a value back until none came for a while. When the value itself becomes another one meanwhile, by going
 * back or by a link, what was held back is forgotten; not when it becomes what was let go of before.
 */
export const useHeld = <T>(value: T, apply: (value: T) => void): Held<T> => {
  const key = JSON.stringify(value)
  const [draft, setDraft] = useState<Draft<T> | null>(null)
  const waiting = useRef<Draft<T>>(null)
  const applied = useRef<string>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef({ key, apply })
  useEffect(() => {
    latest.current = { key, apply }
  })
  useEffect(() => () => clearTimeout(timer.current), [])

  const flush = (): void => {
    clearTimeout(timer.current)
    const due = waiting.current
    waiting.current = null
    if (!due?.over.includes(latest.current.key)) return
    applied.current = JSON.stringify(due.value)
    latest.current.apply(due.value)
  }
  const change = (next: T): void => {
    waiting.current = { over: [key, applied.current], value: next }
    setDraft(waiting.current)
    clearTimeout(timer.current)
    timer.current = setTimeout(flush, filterPause)
  }
  return { held: draft?.over.includes(key) ? draft.value : value, change, flush }
}
