import type { PointerEvent as ReactPointerEvent, RefObject } from 'react'
import { useEffect, useRef, useState } from 'react'

/**
 * Reorders a list's rows by dragging. The dragged row takes the place of the row under the pointer. Dragging isn't announced to
 * screen readers, because their users can move rows with buttons.
 */
export const useRowDrag = (list: RefObject<HTMLElement | null>, move: (from: number, to: number) => void) => {
  const [from, setFrom] = useState<number | null>(null)
  const latest = useRef(move)
  const stop = useRef<() => void>(() => {})
  useEffect(() => {
    latest.current = move
  })
  useEffect(() => () => stop.current(), [])

  const start = (event: ReactPointerEvent, index: number): void => {
    if (event.button !== 0) return
    event.preventDefault()
    let at = index
    setFrom(at)
    const onMove = ({ clientY }: PointerEvent): void => {
      const over = [...(list.current?.children ?? [])].findIndex((row) => {
        const { top, bottom } = row.getBoundingClientRect()
        return clientY >= top && clientY < bottom
      })
      if (over < 0 || over === at) return
      latest.current(at, over)
      at = over
      setFrom(at)
    }
    // The row moves in the document while it is dragged, which would end a pointer capture.
    const events = new AbortController()
    stop.current = () => events.abort()
    const end = (): void => {
      events.abort()
      setFrom(null)
    }
    window.addEventListener('pointermove', onMove, { signal: events.signal })
    window.addEventListener('pointerup', end, { signal: events.signal })
    window.addEventListener('pointercancel', end, { signal: events.signal })
  }
  return { from, start }
}
