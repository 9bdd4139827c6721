import type { RefObject } from 'react'
import { useEffect, useRef } from 'react'

/** Focus changes within this time after rendering are made by the document, not the user. In milliseconds. */
const settleTime = 2000
/** A Tab into the frame moves the focus within this time. In milliseconds. */
const tabWindow = 200

/**
 * If a document in a frame takes the focus while rendering, returns the focus to the element that had it before. Otherwise, the
 * answer keys would go to the frame. A user who enters the frame by pointer or Tab stays there.
 * @returns a function that must be called whenever the frame gets something to draw
 */
export const useFocusGuard = (frame: RefObject<HTMLIFrameElement | null>): (() => void) => {
  const lastFilledAt = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    let lastFocused: EventTarget | null = null
    let lastTabAt = Number.NEGATIVE_INFINITY
    const onFocusOut = ({ target }: FocusEvent): void => {
      lastFocused = target
    }
    const onKeyDown = ({ key }: KeyboardEvent): void => {
      if (key === 'Tab') lastTabAt = performance.now()
    }
    const onBlur = (): void => {
      const now = performance.now()
      const wasStolen =
        now - lastFilledAt.current < settleTime && now - lastTabAt > tabWindow && frame.current?.matches(':hover') === false
      const last = lastFocused
      if (!wasStolen || document.activeElement !== frame.current || !(last instanceof HTMLElement)) return
      // The focus can only return after it has moved.
      setTimeout(() => {
        if (document.activeElement === frame.current) last.focus({ preventScroll: true })
      })
    }
    document.addEventListener('focusout', onFocusOut)
    document.addEventListener('keydown', onKeyDown, true)
    window.addEventListener('blur', onBlur)
    return () => {
      document.removeEventListener('focusout', onFocusOut)
      document.removeEventListener('keydown', onKeyDown, true)
      window.removeEventListener('blur', onBlur)
    }
  }, [frame])
  return () => {
    lastFilledAt.current = performance.now()
  }
}
