import { useSyncExternalStore } from 'react'
import type { Theme } from './preferences.ts'
import { preferences, storageKey, themes } from './preferences.ts'

const listeners = new Set<() => void>()

const current = (): Theme => {
  const shown = document.documentElement.dataset['theme']
  return themes.find((theme) => theme === shown) ?? 'system'
}

const show = (theme: Theme): void => {
  document.documentElement.dataset['theme'] = theme
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Applies a theme at once and stores it. */
export const changeTheme = (theme: Theme): void => {
  preferences.write({ theme })
  show(theme)
}

/** Switches the theme whenever the user chooses a theme in another tab. */
export const followTheme = (): void => {
  window.addEventListener('storage', (event) => {
    if (event.key === storageKey) show(preferences.read().theme)
  })
}

export const useTheme = (): Theme => useSyncExternalStore(subscribe, current)
