const listeners = new Set<() => void>()

/** Reports that the saved records have changed. */
export const notifyOfflineChange = (): void => {
  for (const listener of listeners) listener()
}

/** @returns a function that unsubscribes */
export const onOfflineChange = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
