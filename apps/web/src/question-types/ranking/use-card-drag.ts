import type { MouseEvent, PointerEvent } from 'react'
import { useEffect, useRef, useState } from 'react'
import { edgeScroll } from './edge-scroll.ts'

/** A pointer movement of this many pixels or more is a drag. */
const threshold = 4

type Drag = {
  readonly value: string /** The rank under the pointer, null over the area for unranked cards, or undefined elsewhere. */
  readonly over: number | null | undefined
}

const dropTargetAt = (x: number, y: number, card: Element): number | null | undefined => {
  const place = document.elementsFromPoint(x, y).flatMap((element) => {
    const found = card.contains(element) ? null : element.closest<HTMLElement>('[data-rank]')
    return found ? [found.dataset['rank']] : []
  })[0]
  return place === undefined ? undefined : place === '' ? null : Number(place)
}

/**
 * Lets the pointer drag cards. The dragged card follows the pointer. `drag` says which card is dragged and where it would drop.
 */
export const useCardDrag = (onDrop: (value: string, rank: number | null) => void) => {
  const [drag, setDrag] = useState<Drag | null>(null)
  const stopTracking = useRef(() => {})
  const wasDragged = useRef(false)
  useEffect(() => () => stopTracking.current(), [])

  const onPointerDown = (value: string) => (event: PointerEvent<HTMLElement>) => {
    // A new press must not be treated as the end of the previous drag.
    wasDragged.current = false
    const isTouch = event.pointerType === 'touch'
    // On touch screens, only the grip starts a drag. Dragging elsewhere on a card scrolls the form.
    if (event.button !== 0 || (isTouch && !(event.target as Element).closest('[data-grip]'))) return
    const card = event.currentTarget
    const { clientX: startX, clientY: startY, pointerId } = event
    let over: number | null | undefined
    let [pointerX, pointerY] = [startX, startY]

    const follow = (): void => {
      card.style.translate = `${pointerX - startX}px ${pointerY - startY + scroll.scrolled()}px`
      over = dropTargetAt(pointerX, pointerY, card)
      setDrag({ value, over })
    }
    const scroll = edgeScroll(card, follow)
    const onMove = ({ clientX, clientY }: globalThis.PointerEvent): void => {
      if (!wasDragged.current && Math.hypot(clientX - startX, clientY - startY) < threshold) return
      if (!wasDragged.current) card.setPointerCapture(pointerId)
      wasDragged.current = true
      pointerX = clientX
      pointerY = clientY
      follow()
      scroll.pointerAt(clientY)
    }
    const end = (drop: boolean) => (): void => {
      stopTracking.current()
      if (drop && wasDragged.current && over !== undefined) onDrop(value, over)
    }
    const onUp = end(true)
    const onCancel = end(false)
    const onKey = (key: globalThis.KeyboardEvent): void => {
      if (key.key === 'Escape') onCancel()
    }
    stopTracking.current = () => {
      scroll.stop()
      card.style.translate = ''
      setDrag(null)
      window.removeEventListener('pointermove', onMove)
      window.removeEventListener('pointerup', onUp)
      window.removeEventListener('pointercancel', onCancel)
      window.removeEventListener('keydown', onKey, true)
      stopTracking.current = () => {}
    }
    // Listens on the window, because the first move of a quick drag may already be outside the card.
    window.addEventListener('pointermove', onMove)
    window.addEventListener('pointerup', onUp)
    window.addEventListener('pointercancel', onCancel)
    window.addEventListener('keydown', onKey, true)
  }

  return {
    drag,
    onPointerDown,
    /** Whether this click ends a drag. A click by keyboard has a `detail` of 0 and never ends a drag. */
    endsDrag: (click: MouseEvent): boolean => click.detail > 0 && wasDragged.current,
  }
}
