import { useSyncExternalStore } from 'react'
import { preferences } from '#lib/prefs/preferences.ts'

const panel = 'differences'
const listeners = new Set<() => void>()
const read = (): boolean => preferences.read().layout[panel] === true

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether differing words of compared texts are marked. The setting also applies to the following records. */
export const useShowsDifferences = (): boolean => useSyncExternalStore(subscribe, read)

export const toggleDifferences = (): void => {
  preferences.write({ layout: { ...preferences.read().layout, [panel]: !read() } })
  for (const listener of listeners) listener()
}
