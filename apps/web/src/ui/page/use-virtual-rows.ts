import type { RefObject } from 'react'
import { useCallback, useEffect, useState } from 'react'

/** Rows rendered above and below the visible ones. */
const overscan = 6
/** Browsers limit the height of an element to a few tens of millions of pixels. Longer tables scroll proportionally. */
const maxHeight = 8_000_000

type Heights = {
  readonly rowHeight: number
  /** Height of the table header in pixels. The header covers the top of the scrolling element. */
  readonly headHeight: number
}

/**
 * Computes which rows of a long list are visible.
 * @param scroller the element that scrolls
 */
export const useVirtualRows = (scroller: RefObject<HTMLElement | null>, count: number, { rowHeight, headHeight }: Heights) => {
  const [{ scrollTop, viewHeight }, setView] = useState({ scrollTop: 0, viewHeight: 0 })
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const measure = (): void => setView({ scrollTop: element.scrollTop, viewHeight: element.clientHeight - headHeight })
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [scroller, headHeight])

  const fullHeight = count * rowHeight
  const height = Math.min(fullHeight, maxHeight)
  const scale = height > viewHeight && fullHeight > height ? (fullHeight - viewHeight) / (height - viewHeight) : 1
  const offset = scrollTop * scale
  const first = Math.max(0, Math.floor(offset / rowHeight) - overscan)
  const last = Math.min(count, Math.ceil((offset + viewHeight) / rowHeight) + overscan)
  /** The vertical offset of a row in the scrolled element, in pixels. That element is `height` pixels tall. */
  const topOf = (row: number): number => row * rowHeight - offset + scrollTop
  const scrollTo = useCallback(
    (row: number): void => {
      const element = scroller.current
      if (!element) return
      const top = row * rowHeight
      const now = element.scrollTop * scale
      if (top < now) element.scrollTop = top / scale
      else if (top + rowHeight > now + viewHeight) element.scrollTop = (top + rowHeight - viewHeight) / scale
    },
    [scroller, scale, viewHeight, rowHeight],
  )
  return { first, last, height, topOf, scrollTo }
}
