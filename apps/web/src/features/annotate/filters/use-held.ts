import { useEffect, useRef, useState } from 'react'
import { filterPause } from '#lib/constants.ts'

type Held<T> = {
  /** The value with the changes that are still held back. */
  readonly held: T
  readonly change: (value: T) => void
  /** Lets go at once of what is held back. */
  readonly flush: () => void
}

/**
 * Holds changes of a value back until none came for a while. When the value itself becomes another one meanwhile, by going
 * back or by a link, what was held back is forgotten.
 */
export const useHeld = <T>(value: T, apply: (value: T) => void): Held<T> => {
  const key = JSON.stringify(value)
  const [draft, setDraft] = useState<{ readonly over: string; readonly value: T } | null>(null)
  const waiting = useRef<{ readonly over: string; readonly value: T } | null>(null)
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
    if (due && due.over === latest.current.key) latest.current.apply(due.value)
  }
  const change = (next: T): void => {
    waiting.current = { over: key, value: next }
    setDraft(waiting.current)
    clearTimeout(timer.current)
    timer.current = setTimeout(flush, filterPause)
  }
  return { held: draft?.over === key ? draft.value : value, change, flush }
}
