import type { RefObject } from 'react'
import { useLayoutEffect } from 'react'
import type { Align, Placement, Rect, Side } from './place.ts'
import { placePanel } from './place.ts'

/** Anything with a position on the screen: an element or a range of text. */
export type Anchor = { readonly getBoundingClientRect: () => Rect } | null

type FloatingOptions = {
  readonly panel: RefObject<HTMLElement | null>
  /** Returns the anchor. Called again whenever the page scrolls or a size changes. */
  readonly anchor: () => Anchor
  readonly open: boolean
  readonly side?: Side
  /** `start` and `end` follow the direction of the text. */
  readonly align?: Align
  readonly gap?: number
}

const mirrorSide: { readonly [A in Align]: Align } = { start: 'end', center: 'center', end: 'start' }

const positionPanel = (panel: HTMLElement, anchor: Anchor, placement: Placement): void => {
  if (!anchor) return
  panel.style.maxHeight = ''
  const { offsetWidth: width, scrollHeight, offsetHeight, clientHeight } = panel
  const size = { width, height: Math.min(scrollHeight + offsetHeight - clientHeight, Math.max(offsetHeight, 0)) }
  const view = { width: document.documentElement.clientWidth, height: window.innerHeight }
  const { left, top, maxHeight } = placePanel(anchor.getBoundingClientRect(), size, view, placement)
  panel.style.left = `${left}px`
  panel.style.top = `${top}px`
  // The panel is hidden until it has a position.
  panel.dataset['placed'] = ''
  if (size.height > maxHeight) panel.style.maxHeight = `${maxHeight}px`
}

/**
 * While `open`, shows an element with the `popover` attribute in the browser's top layer. Keeps it next to its anchor when the
 * page scrolls or sizes change. The browser closes the element on Escape and on a press elsewhere (`popover="auto"`). To be
 * notified when it closes, listen to `toggle`.
 */
export const useFloating = ({ panel, anchor, open, side = 'bottom', align = 'start', gap = 6 }: FloatingOptions): void => {
  useLayoutEffect(() => {
    const element = panel.current
    if (!element || !open) return
    if (!element.matches(':popover-open')) element.showPopover()
    const isMirrored = getComputedStyle(element).direction === 'rtl'
    const move = () => positionPanel(element, anchor(), { side, align: isMirrored ? mirrorSide[align] : align, gap })
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
