import { pressSettleTime } from '#lib/constants.ts'

type Store<T> = { readonly subscribe: (listener: () => void) => () => void; readonly snapshot: () => T }

/**
 * Holds back changes to a store while a pointer is pressed. A change that shifts the page during a press would move the pressed
 * element away from the finger, and the browser would not fire a click.
 */
export const freezeWhilePressed = <T>(source: Store<T>): Store<T> => {
  const listeners = new Set<() => void>()
  const pressedPointers = new Set<number>()
  let frozen: { readonly value: T } | null = null
  let settleTimer: ReturnType<typeof setTimeout> | undefined
  let unsubscribe = (): void => {}

  const notify = (): void => {
    for (const listener of listeners) listener()
  }
  const onDown = ({ pointerId }: PointerEvent): void => {
    clearTimeout(settleTimer)
    pressedPointers.add(pointerId)
    frozen ??= { value: source.snapshot() }
  }
  const release = (): void => {
    const before = frozen
    frozen = null
    if (before !== null && before.value !== source.snapshot()) notify()
  }
  const onUp = ({ pointerId }: PointerEvent): void => {
    pressedPointers.delete(pointerId)
    clearTimeout(settleTimer)
    if (pressedPointers.size === 0) settleTimer = setTimeout(release, pressSettleTime)
  }
  /** Ends a press whose release is not reported. */
  const onLeave = (): void => {
    pressedPointers.clear()
    clearTimeout(settleTimer)
    release()
  }

  const begin = (): void => {
    const controller = new AbortController()
    const options = { capture: true, passive: true, signal: controller.signal }
    window.addEventListener('pointerdown', onDown, options)
    window.addEventListener('pointerup', onUp, options)
    window.addEventListener('pointercancel', onUp, options)
    // `capture` is not set. With it, the window would also receive the blur events of all elements.
    window.addEventListener('blur', onLeave, { signal: controller.signal })
    const unsubscribeSource = source.subscribe(() => {
      if (frozen === null) notify()
    })
    unsubscribe = () => {
      controller.abort()
      unsubscribeSource()
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
    snapshot: () => (frozen === null ? source.snapshot() : frozen.value),
  }
}
