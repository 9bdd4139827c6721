import type { RefObject } from 'react'
import { useEffect, useRef } from 'react'

/** What a document does with the focus so soon after it was filled, it does by itself. In milliseconds. */
const settling = 2000
/** A Tab that goes into the frame does so at once. In milliseconds. */
const atOnce = 200

/**
 * A document in a frame may take the focus as it is drawn, and the keys for the answer with it: then what had it gets it back.
 * Who goes there by pointer or by Tab stays there.
 * @returns to be called whenever the frame gets something to draw
 */
export const useKeptFocus = (frame: RefObject<HTMLIFrameElement | null>): (() => void) => {
  const filled = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    let left: EventTarget | null = null
    let tabbed = Number.NEGATIVE_INFINITY
    const onFocusOut = ({ target }: FocusEvent): void => {
      left = target
    }
    const onKeyDown = ({ key }: KeyboardEvent): void => {
      if (key === 'Tab') tabbed = performance.now()
    }
    const onBlur = (): void => {
      const now = performance.now()
      const isTaken = now - filled.current < settling && now - tabbed > atOnce && frame.current?.matches(':hover') === false
      const last = left
      if (!isTaken || document.activeElement !== frame.current || !(last instanceof HTMLElement)) return
      // Only once it has gone there can it come back.
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
    filled.current = performance.now()
  }
}
