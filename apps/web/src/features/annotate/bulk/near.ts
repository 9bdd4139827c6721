import { scrollerOf } from '#ui/page/scroller-of.ts'

/** How far from the screen a record is drawn, in its heights. */
const margin = '100%'

type Near = { readonly observer: IntersectionObserver; readonly callbacks: Map<Element, () => void> }
const lists = new WeakMap<Element, Near>()

const nearIn = (list: Element, element: Element): Near => {
  const known = lists.get(list)
  if (known) return known
  // Not always the list: in a low window it goes with all that lies above it.
  const root = scrollerOf(element)
  const callbacks = new Map<Element, () => void>()
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) if (isIntersecting) callbacks.get(target)?.()
    },
    { root, rootMargin: `${margin} 0px` },
  )
  const made = { observer, callbacks }
  lists.set(list, made)
  return made
}

/**
 * Calls once an element of a list that scrolls (`data-record-list`) comes near what is seen of it.
 * @returns ends the watch
 */
export const whenNear = (element: Element, onNear: () => void): (() => void) => {
  const list = element.closest('[data-record-list]')
  if (!list) return () => {}
  const { observer, callbacks } = nearIn(list, element)
  callbacks.set(element, onNear)
  observer.observe(element)
  return () => {
    callbacks.delete(element)
    observer.unobserve(element)
  }
}
