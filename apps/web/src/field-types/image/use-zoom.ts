import type { RefObject } from 'react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { scrollerOf } from '#ui/page/scroller-of.ts'
import type { Quarters, Size } from './zoom.ts'
import { fitScale, mostScale, nextScale, turnedBy, turnedSize } from './zoom.ts'

/** A place in the box that stays where it is while the picture around it grows, from 0 to 1 in each direction. */
type Anchor = { readonly x: number; readonly y: number; readonly left: number; readonly top: number }

/** Of the window's height, and of what the record scrolls in: the rest is for what else the record has, and for the tools. */
const mostOfWindow = 0.7
const mostOfScroller = 0.8

const useRoom = (box: RefObject<HTMLElement | null>): Size => {
  const [room, setRoom] = useState<Size>({ width: 0, height: 0 })
  useLayoutEffect(() => {
    const frame = box.current?.parentElement
    if (!frame) return
    const scroller = scrollerOf(frame)
    const measure = (): void => {
      const width = frame.clientWidth
      const within = scroller ? scroller.clientHeight * mostOfScroller : Number.POSITIVE_INFINITY
      const height = Math.round(Math.min(window.innerHeight * mostOfWindow, within))
      setRoom((before) => (before.width === width && before.height === height ? before : { width, height }))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(frame)
    if (scroller) observer.observe(scroller)
    window.addEventListener('resize', measure)
    return () => {
      observer.disconnect()
      window.removeEventListener('resize', measure)
    }
  }, [box])
  return room
}

/** How large a picture is shown, how it is turned, and which part of it is in sight: `box` scrolls what is larger than itself. */
export const useZoom = (box: RefObject<HTMLElement | null>, natural: Size) => {
  const room = useRoom(box)
  /** null: as much as fits. */
  const [chosen, setChosen] = useState<number | null>(null)
  const [quarters, setQuarters] = useState<Quarters>(0)
  const anchor = useRef<Anchor | null>(null)
  const turned = turnedSize(natural, quarters)
  const fit = fitScale(turned, room)
  const scale = chosen === null ? fit : Math.max(fit, chosen)
  const stage: Size = { width: turned.width * scale, height: turned.height * scale }

  /** Keeps what lies under a point of the window; in the middle of the box without one. */
  const hold = (clientX?: number, clientY?: number): void => {
    const element = box.current
    if (!element) return
    const bounds = element.getBoundingClientRect()
    const left = clientX === undefined ? element.clientWidth / 2 : clientX - bounds.left
    const top = clientY === undefined ? element.clientHeight / 2 : clientY - bounds.top
    anchor.current = {
      left,
      top,
      x: (element.scrollLeft + left) / Math.max(1, stage.width),
      y: (element.scrollTop + top) / Math.max(1, stage.height),
    }
  }

  useLayoutEffect(() => {
    const held = anchor.current
    const element = box.current
    if (!held || !element) return
    anchor.current = null
    element.scrollLeft = held.x * stage.width - held.left
    element.scrollTop = held.y * stage.height - held.top
  }, [box, stage.width, stage.height])

  const zoom = (direction: 1 | -1, clientX?: number, clientY?: number): void => {
    hold(clientX, clientY)
    setChosen(nextScale(scale, fit, direction))
  }
  const latest = useRef(zoom)
  useEffect(() => {
    latest.current = zoom
  })
  // A pinch arrives as a turn of the wheel with Ctrl. Without it the wheel scrolls, as everywhere.
  useEffect(() => {
    const element = box.current
    if (!element) return
    const onWheel = (event: WheelEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.deltaY === 0) return
      event.preventDefault()
      latest.current(event.deltaY < 0 ? 1 : -1, event.clientX, event.clientY)
    }
    element.addEventListener('wheel', onWheel, { passive: false })
    return () => element.removeEventListener('wheel', onWheel)
  }, [box])

  return {
    scale,
    quarters,
    stage,
    canZoomIn: scale < mostScale(fit),
    canZoomOut: scale > fit,
    /** Something of the picture is out of sight. */
    isCut: stage.width > room.width + 1 || stage.height > room.height + 1,
    most: room.height,
    zoom,
    fitAll: (): void => setChosen(null),
    showNatural: (clientX?: number, clientY?: number): void => {
      hold(clientX, clientY)
      setChosen(1)
    },
    turn: (by: 1 | -1): void => {
      anchor.current = null
      setQuarters(turnedBy(quarters, by))
    },
  }
}

export type Zoom = ReturnType<typeof useZoom>
