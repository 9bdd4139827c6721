import { scrollerOf } from '#ui/page/scroller-of.ts'

/** How far outside the viewport records are rendered, as a multiple of the viewport's height. */
const renderMargin = '100%'

type ListWatch = { readonly observer: IntersectionObserver; readonly callbacks: Map<Element, () => void> }
const watches = new WeakMap<Element, ListWatch>()

const watchOf = (list: Element, element: Element): ListWatch => {
  const existing = watches.get(list)
  if (existing) return existing
  // The list isn't always the scroll container. In a short window, the list scrolls together with everything above it.
  const root = scrollerOf(element)
  const callbacks = new Map<Element, () => void>()
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) if (isIntersecting) callbacks.get(target)?.()
    },
    { root, rootMargin: `${renderMargin} 0px` },
  )
  const created = { observer, callbacks }
  watches.set(list, created)
  return created
}

/**
 * Calls `onNear` when an element of a scrolling list (`data-record-list`) comes near the visible area for the first time.
 * @returns a function that stops observing
 */
export const onceNear = (element: Element, onNear: () => void): (() => void) => {
  const list = element.closest('[data-record-list]')
  if (!list) return () => {}
  const { observer, callbacks } = watchOf(list, element)
  callbacks.set(element, onNear)
  observer.observe(element)
  return () => {
    callbacks.delete(element)
    observer.unobserve(element)
  }
}
