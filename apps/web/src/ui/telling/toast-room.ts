import type { RefObject } from 'react'
import { useLayoutEffect } from 'react'

/** What notifications leave free at the end of the window, in CSS pixels: so far from its bottom, and from its side. */
type Room = { readonly block: number; readonly inline: number }

const everywhere: Room = { block: 0, inline: 0 }

const createToastRoom = () => {
  let room = everywhere
  const listeners = new Set<() => void>()
  return {
    set: (next: Room): void => {
      if (next.block === room.block && next.inline === room.inline) return
      room = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    snapshot: (): Room => room,
  }
}
export const toastRoom = createToastRoom()

/** Keeps an element that ends where the window ends free of notifications: they stand above it, or beside it. */
export const useKeptFree = (ref: RefObject<HTMLElement | null>, where: 'above' | 'beside'): void =>
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    const measure = (): void => {
      const { offsetHeight, offsetWidth } = element
      toastRoom.set(where === 'above' ? { block: offsetHeight, inline: 0 } : { block: 0, inline: offsetWidth })
    }
    const observer = new ResizeObserver(measure)
    measure()
    observer.observe(element)
    return () => {
      observer.disconnect()
      toastRoom.set(everywhere)
    }
  }, [ref, where])
