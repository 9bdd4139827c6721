import { useEffect, useRef } from 'react'
import { cacheCounts } from '#lib/constants.ts'
import type { Section } from './sections.ts'

/** Refreshes what is shown when the page or a part of it is opened, and when one comes back to the window. */
export const useRefresh = (refresh: (age?: number) => void, current: Section): void => {
  const isOpen = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another part is another thing to look at
  useEffect(() => {
    // What the page has read to be opened is new, and not read again.
    refresh(isOpen.current ? 0 : cacheCounts)
    isOpen.current = true
  }, [refresh, current])
  useEffect(() => {
    const onFocus = (): void => refresh()
    const onVisible = (): void => {
      if (document.visibilityState === 'visible') refresh()
    }
    // Windows beside each other stay visible while only one has the focus.
    window.addEventListener('focus', onFocus)
    document.addEventListener('visibilitychange', onVisible)
    return () => {
      window.removeEventListener('focus', onFocus)
      document.removeEventListener('visibilitychange', onVisible)
    }
  }, [refresh])
}
