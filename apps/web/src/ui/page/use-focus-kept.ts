import type { RefObject } from 'react'
import { useEffect } from 'react'

/**
 * What had the focus in a part of the page may leave with what was done, as the row of what is deleted does: the part has it then, and a
 * reader says its name. The keys would begin at the top of the page otherwise.
 */
export const useFocusKept = (part: RefObject<HTMLElement | null>): void => {
  useEffect(() => {
    const element = part.current
    if (!element) return
    let last: EventTarget | null = null
    const remember = ({ target }: FocusEvent): void => {
      last = target
    }
    const watch = new MutationObserver(() => {
      const isGone = last instanceof Element && !last.isConnected
      if (isGone && document.activeElement === document.body) element.focus({ preventScroll: true })
    })
    element.addEventListener('focusin', remember)
    watch.observe(element, { childList: true, subtree: true })
    return () => {
      element.removeEventListener('focusin', remember)
      watch.disconnect()
    }
  }, [part])
}
