import { useSyncExternalStore } from 'react'

/**
 * Which answer issues to show: the issues of one record or, if `recordId` is null, the issues of all datasets except the one on
 * the screen.
 */
export type AnswerIssuesRequest = { readonly recordId: string | null }

let openRequest: AnswerIssuesRequest | null = null
const listeners = new Set<() => void>()

const setRequest = (next: AnswerIssuesRequest | null): void => {
  openRequest = next
  for (const listener of listeners) listener()
}

/** Opens the dialog that lists answer issues. Works on every screen. */
export const openAnswerIssues = (recordId: string | null = null): void => setRequest({ recordId })
export const closeAnswerIssues = (): void => setRequest(null)

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useAnswerIssuesRequest = (): AnswerIssuesRequest | null => useSyncExternalStore(subscribe, () => openRequest)
