import type { RefObject } from 'react'
import { useEffect, useSyncExternalStore } from 'react'
import type { Line } from '#lib/outbox/types.ts'

/** One answer of one record: another answer to it that is refused again is another trouble. */
export const nameOfTrouble = ({ record_id, entries }: Line): string => `${record_id} ${entries.at(-1)?.mutation_id}`

let told: ReadonlySet<string> = new Set()
const listeners = new Set<() => void>()

const set = (next: ReadonlySet<string>): void => {
  told = next
  for (const listener of listeners) listener()
}
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The troubles that somebody has before them at their records: nothing else need tell of those. */
export const useToldTroubles = (): ReadonlySet<string> => useSyncExternalStore(subscribe, () => told)

/**
 * Says that a trouble is told by an element, from when that has come into sight for as long as it is there: who scrolls on knows of it.
 * @param name null while there is none
 */
export const useToldHere = (ref: RefObject<Element | null>, name: string | null): void =>
  useEffect(() => {
    const element = ref.current
    if (name === null || !element) return
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      observer.disconnect()
      set(new Set([...told, name]))
    })
    observer.observe(element)
    return () => {
      observer.disconnect()
      if (told.has(name)) set(new Set([...told].filter((other) => other !== name)))
    }
  }, [ref, name])
