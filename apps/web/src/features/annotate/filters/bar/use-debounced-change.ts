import { useEffect, useRef, useState } from 'react'
import { filterDelay } from '#lib/constants.ts'

type DebouncedValue<T> = {
  /** The value including pending changes. */
  readonly pendingValue: T
  readonly change: (value: T) => void
  /** Applies pending changes at once. */
  readonly flush: () => void
}

type Draft<T> = {
  /**
   * The draft is dropped if the current value isn't in this list. The list contains two values as JSON: the one that the user
   * changed, and the one that was applied last.
   */
  readonly over: readonly (string | null)[]
  readonly value: T
}

/**
 * Debounces changes to a value. Pending changes are dropped if back navigation or a link changes the value in the meantime. They
 * are kept if the value changes to the one that was applied last.
 */
export const useDebouncedChange = <T>(value: T, apply: (value: T) => void): DebouncedValue<T> => {
  const key = JSON.stringify(value)
  const [draft, setDraft] = useState<Draft<T> | null>(null)
  const pendingChange = useRef<Draft<T>>(null)
  const applied = useRef<string>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef({ key, apply })
  useEffect(() => {
    latest.current = { key, apply }
  })
  useEffect(() => () => clearTimeout(timer.current), [])

  const flush = (): void => {
    clearTimeout(timer.current)
    const due = pendingChange.current
    pendingChange.current = null
    if (!due?.over.includes(latest.current.key)) return
    applied.current = JSON.stringify(due.value)
    latest.current.apply(due.value)
  }
  const change = (next: T): void => {
    pendingChange.current = { over: [key, applied.current], value: next }
    setDraft(pendingChange.current)
    clearTimeout(timer.current)
    timer.current = setTimeout(flush, filterDelay)
  }
  return { pendingValue: draft?.over.includes(key) ? draft.value : value, change, flush }
}
