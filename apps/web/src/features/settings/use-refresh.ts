import { useEffect } from 'react'
import type { Section } from './sections.ts'

/** Refreshes what is shown when a part of the page is opened, and when one comes back to the window. */
export const useRefresh = (refresh: () => void, current: Section): void => {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another part is another thing to look at
  useEffect(refresh, [refresh, current])
  useEffect(() => {
    const onVisible = (): void => {
      if (document.visibilityState === 'visible') refresh()
    }
    // Windows beside each other stay visible while only one has the focus.
    window.addEventListener('focus', refresh)
    document.addEventListener('visibilitychange', onVisible)
    return () => {
      window.removeEventListener('focus', refresh)
      document.removeEventListener('visibilitychange', onVisible)
    }
  }, [refresh])
}
