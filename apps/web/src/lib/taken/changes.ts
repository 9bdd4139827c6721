const listeners = new Set<() => void>()

/** Says that what was taken along has changed. */
export const tellTakenChanged = (): void => {
  for (const listener of listeners) listener()
}

/** @returns what ends the listening */
export const whenTakenChanges = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
