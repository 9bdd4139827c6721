import type { RefObject } from 'react'
import { useLayoutEffect, useState } from 'react'
import { scrollerOf } from './scroller-of.ts'

type Watch = { readonly observer: IntersectionObserver; readonly seen: Map<Element, () => void> }

/** One observer for everything that scrolls in the same box. */
const watches = new WeakMap<Element | Document, Watch>()

const watchIn = (root: Element | null): Watch => {
  const known = watches.get(root ?? document)
  if (known) return known
  const seen = new Map<Element, () => void>()
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) if (isIntersecting) seen.get(target)?.()
    },
    // A margin counts only at the observer's own root.
    { root, rootMargin: '100% 0px' },
  )
  const made = { observer, seen }
  watches.set(root ?? document, made)
  return made
}

/**
 * Whether an element has come within a screen's height of what is seen. Once near it stays so: what was drawn is kept.
 * @param isFar false where it is drawn from the start
 */
export const useNear = (ref: RefObject<Element | null>, isFar: boolean): boolean => {
  const [isNear, setNear] = useState(!isFar)
  useLayoutEffect(() => {
    const element = ref.current
    if (isNear || !element) return
    const { observer, seen } = watchIn(scrollerOf(element))
    seen.set(element, () => setNear(true))
    observer.observe(element)
    return () => {
      seen.delete(element)
      observer.unobserve(element)
    }
  }, [ref, isNear])
  return isNear
}
