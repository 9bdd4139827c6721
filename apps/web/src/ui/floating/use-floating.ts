import type { RefObject } from 'react'
import { useLayoutEffect } from 'react'
import type { Align, Placement, Rect, Side } from './place.ts'
import { place } from './place.ts'

/** Anything with a place on the screen: an element, a range of text. */
export type Anchor = { readonly getBoundingClientRect: () => Rect } | null

export type FloatingOptions = {
  readonly panel: RefObject<HTMLElement | null>
  /** Asked again whenever something moves. */
  readonly anchor: () => Anchor
  readonly open: boolean
  readonly side?: Side
  /** `start` and `end` follow the direction of the text. */
  readonly align?: Align
  readonly gap?: number
}

const mirrored: { readonly [A in Align]: Align } = { start: 'end', center: 'center', end: 'start' }

const arrange = (panel: HTMLElement, anchor: Anchor, placement: Placement): void => {
  if (!anchor) return
  panel.style.maxHeight = ''
  const { offsetWidth: width, scrollHeight, offsetHeight, clientHeight } = panel
  const size = { width, height: Math.min(scrollHeight + offsetHeight - clientHeight, Math.max(offsetHeight, 0)) }
  const view = { width: document.documentElement.clientWidth, height: window.innerHeight }
  const { left, top, maxHeight } = place(anchor.getBoundingClientRect(), size, view, placement)
  panel.style.left = `${left}px`
  panel.style.top = `${top}px`
  // Until it has its place it is not seen.
  panel.dataset['placed'] = ''
  if (size.height > maxHeight) panel.style.maxHeight = `${maxHeight}px`
}

/**
 * Shows an element with the `popover` attribute in the browser's top layer while `open`, beside its anchor, and keeps it
 * there while things move. Closing on Escape and on a press elsewhere is the browser's (`popover="auto"`): listen to `toggle`.
 */
export const useFloating = ({ panel, anchor, open, side = 'bottom', align = 'start', gap = 6 }: FloatingOptions): void => {
  useLayoutEffect(() => {
    const element = panel.current
    if (!element || !open) return
    if (!element.matches(':popover-open')) element.showPopover()
    const isMirrored = getComputedStyle(element).direction === 'rtl'
    const move = () => arrange(element, anchor(), { side, align: isMirrored ? mirrored[align] : align, gap })
    move()
    const resized = new ResizeObserver(move)
    resized.observe(element)
    window.addEventListener('resize', move)
    window.addEventListener('scroll', move, { capture: true, passive: true })
    return () => {
      resized.disconnect()
      window.removeEventListener('resize', move)
      window.removeEventListener('scroll', move, { capture: true })
      delete element.dataset['placed']
      if (element.isConnected && element.matches(':popover-open')) element.hidePopover()
    }
  }, [panel, anchor, open, side, align, gap])
}
