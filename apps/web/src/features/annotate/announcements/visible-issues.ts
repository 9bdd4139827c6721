import type { RefObject } from 'react'
import { useEffect, useSyncExternalStore } from 'react'
import type { OutboxLine } from '#lib/outbox/types.ts'

/** The ID of a problem with one answer to one record. If a later answer is rejected too, that is a new problem. */
export const issueKey = ({ record_id, entries }: OutboxLine): string => `${record_id} ${entries.at(-1)?.mutation_id}`

let visibleIssues: ReadonlySet<string> = new Set()
const listeners = new Set<() => void>()

const setVisible = (next: ReadonlySet<string>): void => {
  visibleIssues = next
  for (const listener of listeners) listener()
}
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The problems that the user has already seen on the affected records. These problems need no other notice. */
export const useVisibleIssues = (): ReadonlySet<string> => useSyncExternalStore(subscribe, () => visibleIssues)

/**
 * Adds a problem to the visible problems once the element that shows it becomes visible. Removes the problem when the element is
 * unmounted.
 * @param name null if there is no problem
 */
export const useMarkIssueVisible = (ref: RefObject<Element | null>, name: string | null): void =>
  useEffect(() => {
    const element = ref.current
    if (name === null || !element) return
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      observer.disconnect()
      setVisible(new Set([...visibleIssues, name]))
    })
    observer.observe(element)
    return () => {
      observer.disconnect()
      if (visibleIssues.has(name)) setVisible(new Set([...visibleIssues].filter((other) => other !== name)))
    }
  }, [ref, name])
