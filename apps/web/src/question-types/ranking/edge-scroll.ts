import { scrollerOf } from '#ui/page/scroller-of.ts'

/** So near to an edge of what scrolls, in pixels, a dragged card asks for what lies beyond. */
const near = 48
/** At the edge itself and beyond, in pixels per second. */
const fastest = 900

/** How fast to scroll with the pointer at `y`, in pixels per second: nothing in the middle, up is negative. */
export const speedAt = (y: number, top: number, bottom: number): number => {
  const reach = Math.min(near, (bottom - top) / 3)
  if (reach <= 0) return 0
  const above = Math.min(1, (top + reach - y) / reach)
  const below = Math.min(1, (y - bottom + reach) / reach)
  return above > 0 ? -above * fastest : below > 0 ? below * fastest : 0
}

/**
 * Scrolls what an element lies in while a pointer rests near its upper or lower edge.
 * @param onScroll after each step
 */
export const edgeScroll = (element: Element, onScroll: () => void) => {
  const around = scrollerOf(element)
  const start = around?.scrollTop ?? 0
  // A card that hangs over the end makes the content longer: it is no place to scroll to.
  const last = around ? around.scrollHeight - around.clientHeight : 0
  let pointer = 0
  let frame: number | null = null
  /** Where it is on its way to: a browser may keep no fractions of a pixel. */
  let wanted = start

  const stepFrom =
    (before: number | null) =>
    (now: number): void => {
      frame = null
      if (!around) return
      const { top, bottom } = around.getBoundingClientRect()
      const speed = speedAt(pointer, top, bottom)
      if (speed === 0 || wanted === (speed < 0 ? 0 : last)) return
      wanted = Math.min(last, Math.max(0, wanted + (speed * Math.min(50, now - (before ?? now))) / 1000))
      around.scrollTop = wanted
      onScroll()
      frame = requestAnimationFrame(stepFrom(now))
    }
  return {
    /** How far it has been scrolled since. */
    scrolled: (): number => (around?.scrollTop ?? 0) - start,
    pointerAt: (y: number): void => {
      pointer = y
      if (frame !== null) return
      wanted = around?.scrollTop ?? 0
      frame = requestAnimationFrame(stepFrom(null))
    },
    stop: (): void => {
      if (frame !== null) cancelAnimationFrame(frame)
    },
  }
}
