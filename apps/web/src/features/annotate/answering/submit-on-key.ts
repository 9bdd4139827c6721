import { useSyncExternalStore } from 'react'
import { preferences, storageKey } from '#lib/prefs/preferences.ts'

const listeners = new Set<() => void>()

const notify = (): void => {
  for (const listener of listeners) listener()
}

/** Another tab may have changed the setting. */
const onStorage = ({ key }: StorageEvent): void => {
  if (key === storageKey || key === null) notify()
}

const subscribe = (listener: () => void): (() => void) => {
  if (listeners.size === 0) window.addEventListener('storage', onStorage)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) window.removeEventListener('storage', onStorage)
  }
}

const read = (userId: string): boolean => preferences.read().submitsOnKey.includes(userId)

/**
 * Whether a key press that answers a record's only question also submits the answer. Off until the user turns it on in this
 * browser.
 */
export const useSubmitOnKey = (userId: string): boolean => useSyncExternalStore(subscribe, () => read(userId))

export const changeSubmitOnKey = (userId: string, isOn: boolean): void => {
  const others = preferences.read().submitsOnKey.filter((id) => id !== userId)
  preferences.write({ submitsOnKey: isOn ? [...others, userId] : others })
  notify()
}
