export type Published<T> = {
  readonly subscribe: (listener: () => void) => () => void
  readonly snapshot: () => T
  /** Reads anew what is shown, and tells whoever listens. */
  readonly publish: () => void
}

/** What is shown of something that changes: the same object until it is read anew. */
export const createPublished = <T>(read: () => T): Published<T> => {
  let snapshot = read()
  const listeners = new Set<() => void>()
  return {
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    snapshot: () => snapshot,
    publish: () => {
      snapshot = read()
      for (const listener of listeners) listener()
    },
  }
}
