import { scrollerOf } from '#ui/page/scroller-of.ts'

/** The container scrolls while the pointer is at most this number of pixels from its upper or lower edge. */
const edgeDistance = 48
/** Speed at the edge and beyond, in pixels per second. */
const maxSpeed = 900

/** Returns the scroll speed for the pointer at `y`, in pixels per second: 0 in the middle, negative for up. */
export const speedAt = (y: number, top: number, bottom: number): number => {
  const edgeSize = Math.min(edgeDistance, (bottom - top) / 3)
  if (edgeSize <= 0) return 0
  const above = Math.min(1, (top + edgeSize - y) / edgeSize)
  const below = Math.min(1, (y - bottom + edgeSize) / edgeSize)
  return above > 0 ? -above * maxSpeed : below > 0 ? below * maxSpeed : 0
}

/**
 * Scrolls an element's container while the pointer rests near its upper or lower edge.
 * @param onScroll called after each step
 */
export const edgeScroll = (element: Element, onScroll: () => void) => {
  const scroller = scrollerOf(element)
  const start = scroller?.scrollTop ?? 0
  // A dragged card that extends past the end makes the content longer. The container must not scroll into that extra space.
  const last = scroller ? scroller.scrollHeight - scroller.clientHeight : 0
  let pointer = 0
  let frame: number | null = null
  /** The last position that was set. It isn't read back from the element, because the browser may round it to whole pixels. */
  let scrollBy = start

  const stepFrom =
    (before: number | null) =>
    (now: number): void => {
      frame = null
      if (!scroller) return
      const { top, bottom } = scroller.getBoundingClientRect()
      const speed = speedAt(pointer, top, bottom)
      if (speed === 0 || scrollBy === (speed < 0 ? 0 : last)) return
      scrollBy = Math.min(last, Math.max(0, scrollBy + (speed * Math.min(50, now - (before ?? now))) / 1000))
      scroller.scrollTop = scrollBy
      onScroll()
      frame = requestAnimationFrame(stepFrom(now))
    }
  return {
    /** Returns the distance scrolled since the start. */
    scrolled: (): number => (scroller?.scrollTop ?? 0) - start,
    pointerAt: (y: number): void => {
      pointer = y
      if (frame !== null) return
      scrollBy = scroller?.scrollTop ?? 0
      frame = requestAnimationFrame(stepFrom(null))
    },
    stop: (): void => {
      if (frame !== null) cancelAnimationFrame(frame)
    },
  }
}
