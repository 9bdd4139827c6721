import type { PointerEvent } from 'react'
import { useEffect, useRef, useState } from 'react'

/** From this many pixels on a press is a drag. */
const threshold = 4

export type Drag = {
  readonly value: string /** The rank under the pointer, null above the place of those without one, undefined elsewhere. */
  readonly over: number | null | undefined
}

const placeUnder = (x: number, y: number, card: Element): number | null | undefined => {
  const place = document.elementsFromPoint(x, y).flatMap((element) => {
    const found = card.contains(element) ? null : element.closest<HTMLElement>('[data-rank]')
    return found ? [found.dataset['rank']] : []
  })[0]
  return place === undefined ? undefined : place === '' ? null : Number(place)
}

/** Drags cards by pointer. The card follows by itself; what lies under it comes back as `drag`. */
export const useCardDrag = (onDrop: (value: string, rank: number | null) => void) => {
  const [drag, setDrag] = useState<Drag | null>(null)
  const stopTracking = useRef(() => {})
  const wasDragged = useRef(false)
  useEffect(() => () => stopTracking.current(), [])

  const onPointerDown = (value: string) => (event: PointerEvent<HTMLElement>) => {
    const isTouch = event.pointerType === 'touch'
    // A finger on a card scrolls the form; on its grip it drags.
    if (event.button !== 0 || (isTouch && !(event.target as Element).closest('[data-grip]'))) return
    const card = event.currentTarget
    const { clientX: startX, clientY: startY, pointerId } = event
    let over: number | null | undefined
    wasDragged.current = false

    const onMove = ({ clientX, clientY }: globalThis.PointerEvent): void => {
      const [x, y] = [clientX - startX, clientY - startY]
      if (!wasDragged.current && Math.hypot(x, y) < threshold) return
      if (!wasDragged.current) card.setPointerCapture(pointerId)
      wasDragged.current = true
      card.style.translate = `${x}px ${y}px`
      over = placeUnder(clientX, clientY, card)
      setDrag({ value, over })
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
      card.style.translate = ''
      setDrag(null)
      window.removeEventListener('pointermove', onMove)
      window.removeEventListener('pointerup', onUp)
      window.removeEventListener('pointercancel', onCancel)
      window.removeEventListener('keydown', onKey, true)
      stopTracking.current = () => {}
    }
    // The first move of a quick drag may already lie outside of the card.
    window.addEventListener('pointermove', onMove)
    window.addEventListener('pointerup', onUp)
    window.addEventListener('pointercancel', onCancel)
    window.addEventListener('keydown', onKey, true)
  }

  return { drag, onPointerDown, /** True for the click that ends a drag. */ endsDrag: (): boolean => wasDragged.current }
}
