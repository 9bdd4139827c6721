export type SnapshotStore<T> = {
  readonly subscribe: (listener: () => void) => () => void
  readonly snapshot: () => T
  /** Recomputes the snapshot and notifies listeners. */
  readonly publish: () => void
}

/** A snapshot of changing state: the same object until it is recomputed. */
export const createSnapshotStore = <T>(read: () => T): SnapshotStore<T> => {
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
