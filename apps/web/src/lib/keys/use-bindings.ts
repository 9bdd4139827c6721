import { useSyncExternalStore } from 'react'
import { preferences, storageKey } from '#lib/prefs/preferences.ts'
import type { Bindings } from './bindings.ts'
import { changedBindings, readBindings } from './bindings.ts'

const listeners = new Set<() => void>()
let known: Bindings | null = null

const current = (): Bindings => {
  known ??= readBindings(preferences.read().keys)
  return known
}

/** Another tab may have changed the bindings. */
const onStorage = ({ key }: StorageEvent): void => {
  if (key !== storageKey && key !== null) return
  known = null
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  if (listeners.size === 0) {
    known = null
    window.addEventListener('storage', onStorage)
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) window.removeEventListener('storage', onStorage)
  }
}

/** Applies bindings at once and stores them in this browser. */
export const changeBindings = (bindings: Bindings): void => {
  preferences.write({ keys: changedBindings(bindings) })
  known = bindings
  for (const listener of listeners) listener()
}

export const useBindings = (): Bindings => useSyncExternalStore(subscribe, current)
