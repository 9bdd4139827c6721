import type { RefObject } from 'react'
import { useLayoutEffect, useState } from 'react'
import { scrollerOf } from './scroller-of.ts'

type SharedObserver = { readonly observer: IntersectionObserver; readonly callbacks: Map<Element, () => void> }

/** One observer for all elements that scroll in the same box. */
const observers = new WeakMap<Element | Document, SharedObserver>()

const observerIn = (root: Element | null): SharedObserver => {
  const known = observers.get(root ?? document)
  if (known) return known
  const callbacks = new Map<Element, () => void>()
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) if (isIntersecting) callbacks.get(target)?.()
    },
    // A margin applies only at the observer's own root, so each scrolling box needs an observer of its own.
    { root, rootMargin: '100% 0px' },
  )
  const created = { observer, callbacks }
  observers.set(root ?? document, created)
  return created
}

/**
 * Whether an element has come within a screen's height of the visible area. Once true, it stays true, so that rendered content
 * is kept.
 * @param isFar whether the element may be out of view; if false, it is rendered from the start
 */
export const useNear = (ref: RefObject<Element | null>, isFar: boolean): boolean => {
  const [isNear, setNear] = useState(!isFar)
  useLayoutEffect(() => {
    const element = ref.current
    if (isNear || !element) return
    const { observer, callbacks } = observerIn(scrollerOf(element))
    callbacks.set(element, () => setNear(true))
    observer.observe(element)
    return () => {
      callbacks.delete(element)
      observer.unobserve(element)
    }
  }, [ref, isNear])
  return isNear
}
