import type { RefObject } from 'react'
import { useLayoutEffect } from 'react'

/** The space that notifications keep free in a bottom corner of the window, in CSS pixels from the bottom and from the side. */
type Inset = { readonly block: number; readonly inline: number }

const noInset: Inset = { block: 0, inline: 0 }

const createToastInset = () => {
  let inset = noInset
  const listeners = new Set<() => void>()
  return {
    set: (next: Inset): void => {
      if (next.block === inset.block && next.inline === inset.inline) return
      inset = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    snapshot: (): Inset => inset,
  }
}
export const toastInset = createToastInset()

/** Keeps notifications clear of an element in a bottom corner of the window: they appear above it or next to it. */
export const useToastInset = (ref: RefObject<HTMLElement | null>, where: 'above' | 'beside'): void =>
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    const measure = (): void => {
      const { offsetHeight, offsetWidth } = element
      toastInset.set(where === 'above' ? { block: offsetHeight, inline: 0 } : { block: 0, inline: offsetWidth })
    }
    const observer = new ResizeObserver(measure)
    measure()
    observer.observe(element)
    return () => {
      observer.disconnect()
      toastInset.set(noInset)
    }
  }, [ref, where])
