import type { RefObject } from 'react'
import { useEffect } from 'react'

/**
 * Moves the focus to a part of the page if an action removes the focused element from that part, such as the row of a deleted
 * item. A screen reader then says the part's name. Without this, keyboard navigation would start again at the top of the page.
 */
export const useRestoreFocus = (part: RefObject<HTMLElement | null>): void => {
  useEffect(() => {
    const element = part.current
    if (!element) return
    let last: EventTarget | null = null
    const remember = ({ target }: FocusEvent): void => {
      last = target
    }
    const observer = new MutationObserver(() => {
      const isGone = last instanceof Element && !last.isConnected
      if (isGone && document.activeElement === document.body) element.focus({ preventScroll: true })
    })
    element.addEventListener('focusin', remember)
    observer.observe(element, { childList: true, subtree: true })
    return () => {
      element.removeEventListener('focusin', remember)
      observer.disconnect()
    }
  }, [part])
}
