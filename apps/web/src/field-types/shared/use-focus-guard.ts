import type { RefObject } from 'react'
import { useEffect, useRef } from 'react'

/** A focus change within this many milliseconds after rendering is attributed to the document, not to the user. */
const settleTime = 2000
/** Maximum time between a press of the Tab key and the focus entering the frame, in milliseconds. */
const tabWindow = 200

/**
 * If a framed document takes the focus while rendering, returns the focus to the element that had it before. Otherwise, the
 * frame would receive the keys that answer questions. If the user enters the frame by pointer or Tab, the focus stays there.
 * @returns a function that must be called whenever the frame receives content to draw
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
      // The focus can be returned only after it has moved.
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
