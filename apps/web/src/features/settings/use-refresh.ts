import { useEffect, useRef } from 'react'
import { cacheCounts } from '#lib/constants.ts'
import type { Section } from './sections.ts'

/** Refetches the data when the page or a section opens, and when the user returns to the window. */
export const useRefresh = (refresh: (age?: number) => void, current: Section): void => {
  const isOpen = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: refetches when the section changes
  useEffect(() => {
    // Data that was loaded to open the page is fresh, so it isn't refetched.
    refresh(isOpen.current ? 0 : cacheCounts)
    isOpen.current = true
  }, [refresh, current])
  useEffect(() => {
    const onFocus = (): void => refresh()
    const onVisible = (): void => {
      if (document.visibilityState === 'visible') refresh()
    }
    // Also listens for focus, because two windows side by side are both visible, but only one has the focus.
    window.addEventListener('focus', onFocus)
    document.addEventListener('visibilitychange', onVisible)
    return () => {
      window.removeEventListener('focus', onFocus)
      document.removeEventListener('visibilitychange', onVisible)
    }
  }, [refresh])
}
