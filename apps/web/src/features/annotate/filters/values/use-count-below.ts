import type { RefObject } from 'react'
import { useLayoutEffect, useState } from 'react'

/** Whether an item lies in a later line than the first of its list. */
export const isBelowFirst = (item: HTMLElement): boolean => {
  const first = item.parentElement?.firstElementChild
  return first instanceof HTMLElement && item.offsetTop > first.offsetTop
}

/** How many items of a list that wraps lie below its first line, whenever it has another width or other items. */
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
