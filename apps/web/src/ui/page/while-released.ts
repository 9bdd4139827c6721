import { pressSettles } from '#lib/constants.ts'

type Source<T> = { readonly subscribe: (listener: () => void) => () => void; readonly snapshot: () => T }

/**
 * A store as it was when a pointer went down, until it is up again: what moves the page while somebody presses takes the place
 * of what they press from under their finger, and the browser then makes no click of it.
 */
export const whileReleased = <T>(source: Source<T>): Source<T> => {
  const listeners = new Set<() => void>()
  const down = new Set<number>()
  let held: { readonly value: T } | null = null
  let settling: ReturnType<typeof setTimeout> | undefined
  let unsubscribe = (): void => {}

  const tell = (): void => {
    for (const listener of listeners) listener()
  }
  const onDown = ({ pointerId }: PointerEvent): void => {
    clearTimeout(settling)
    down.add(pointerId)
    held ??= { value: source.snapshot() }
  }
  const letGo = (): void => {
    const before = held
    held = null
    if (before !== null && before.value !== source.snapshot()) tell()
  }
  const onUp = ({ pointerId }: PointerEvent): void => {
    down.delete(pointerId)
    clearTimeout(settling)
    if (down.size === 0) settling = setTimeout(letGo, pressSettles)
  }
  /** Where a press ends that nobody is told of. */
  const onLeave = (): void => {
    down.clear()
    clearTimeout(settling)
    letGo()
  }

  const begin = (): void => {
    const unlisten = new AbortController()
    const options = { capture: true, passive: true, signal: unlisten.signal }
    window.addEventListener('pointerdown', onDown, options)
    window.addEventListener('pointerup', onUp, options)
    window.addEventListener('pointercancel', onUp, options)
    // NOTE: not on its way down, where the window hears of every element that loses the focus
    window.addEventListener('blur', onLeave, { signal: unlisten.signal })
    const unfollow = source.subscribe(() => {
      if (held === null) tell()
    })
    unsubscribe = () => {
      unlisten.abort()
      unfollow()
      onLeave()
    }
  }

  return {
    subscribe: (listener) => {
      if (listeners.size === 0) begin()
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) unsubscribe()
      }
    },
    snapshot: () => (held === null ? source.snapshot() : held.value),
  }
}
