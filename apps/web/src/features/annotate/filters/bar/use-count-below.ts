import type { RefObject } from 'react'
import { useLayoutEffect, useState } from 'react'

/** Whether an item is on a later line than the first item of its list. */
export const isBelowFirst = (item: HTMLElement): boolean => {
  const first = item.parentElement?.firstElementChild
  return first instanceof HTMLElement && item.offsetTop > first.offsetTop
}

/** Returns how many items of a wrapping list are below its first line. Updates when its width or items change. */
export const useCountBelow = (list: RefObject<HTMLElement | null>): number => {
  const [below, setBelow] = useState(0)
  useLayoutEffect(() => {
    const element = list.current
    if (!element) return
    const count = (): void => setBelow(([...element.children] as HTMLElement[]).filter(isBelowFirst).length)
    count()
    const sizes = new ResizeObserver(count)
    const items = new MutationObserver(count)
    sizes.observe(element)
    items.observe(element, { childList: true, characterData: true, subtree: true })
    return () => {
      sizes.disconnect()
      items.disconnect()
    }
  }, [list])
  return below
}
