import { useSyncExternalStore } from 'react'

/** What somebody wants to decide about: the answers of other places than the one that is shown, or that of one record. */
export type Asked = { readonly recordId: string | null }

let asked: Asked | null = null
const listeners = new Set<() => void>()

const set = (next: Asked | null): void => {
  asked = next
  for (const listener of listeners) listener()
}

/** Shows answers that the server has not taken, wherever one is. */
export const askAboutStuckAnswers = (recordId: string | null = null): void => set({ recordId })
export const closeStuckAnswers = (): void => set(null)

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useAskedAbout = (): Asked | null => useSyncExternalStore(subscribe, () => asked)
