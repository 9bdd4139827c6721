import type { Shared } from './define.ts'

/** Creates the state that the parts of one question share while a record is on the screen. */
export const createShared = (): Shared => {
  let state: unknown
  const listeners = new Set<() => void>()
  return {
    get: () => state,
    set: (next) => {
      state = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
