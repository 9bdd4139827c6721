import type { RefObject } from 'react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { scrollerOf } from '#ui/page/scroller-of.ts'
import type { QuarterTurns, Size } from './zoom.ts'
import { fitScale, maxScaleFor, nextScale, rotate, rotatedSize } from './zoom.ts'

/**
 * A point of the image that stays in place during zooming. `x` and `y` are its position in the image, from 0 to 1. `left` and
 * `top` are its position in the box.
 */
type Anchor = { readonly x: number; readonly y: number; readonly left: number; readonly top: number }

/**
 * The maximum share of the window's height, and of the scrolling container's height, that the image takes up. The rest is for
 * other fields and the tools.
 */
const maxWindowShare = 0.7
const maxScrollerShare = 0.8

const useAvailableSize = (box: RefObject<HTMLElement | null>): Size => {
  const [availableSize, setAvailableSize] = useState<Size>({ width: 0, height: 0 })
  useLayoutEffect(() => {
    const frame = box.current?.parentElement
    if (!frame) return
    const scroller = scrollerOf(frame)
    const measure = (): void => {
      const width = frame.clientWidth
      const within = scroller ? scroller.clientHeight * maxScrollerShare : Number.POSITIVE_INFINITY
      const height = Math.round(Math.min(window.innerHeight * maxWindowShare, within))
      setAvailableSize((before) => (before.width === width && before.height === height ? before : { width, height }))
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
  return availableSize
}

/** An image's scale, rotation and visible part. `box` scrolls the image if the image is larger than the box. */
export const useZoom = (box: RefObject<HTMLElement | null>, natural: Size) => {
  const availableSize = useAvailableSize(box)
  /** The chosen scale. Null fits the image to the box. */
  const [chosen, setChosen] = useState<number | null>(null)
  const [quarterTurns, setQuarterTurns] = useState<QuarterTurns>(0)
  const anchor = useRef<Anchor | null>(null)
  const rotated = rotatedSize(natural, quarterTurns)
  const fit = fitScale(rotated, availableSize)
  const scale = chosen === null ? fit : Math.max(fit, chosen)
  const stage: Size = { width: rotated.width * scale, height: rotated.height * scale }

  /**
   * Zooms so that one point of the image stays in place: the point at the given position in the window. Without a position, it is
   * the point in the middle of the box.
   */
  const zoomAround = (clientX?: number, clientY?: number): void => {
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
    const anchorPoint = anchor.current
    const element = box.current
    if (!anchorPoint || !element) return
    anchor.current = null
    element.scrollLeft = anchorPoint.x * stage.width - anchorPoint.left
    element.scrollTop = anchorPoint.y * stage.height - anchorPoint.top
  }, [box, stage.width, stage.height])

  const zoom = (direction: 1 | -1, clientX?: number, clientY?: number): void => {
    zoomAround(clientX, clientY)
    setChosen(nextScale(scale, fit, direction))
  }
  const latest = useRef(zoom)
  useEffect(() => {
    latest.current = zoom
  })
  // A pinch is reported as a wheel event with the Ctrl key. Without Ctrl, the wheel scrolls as usual.
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
    quarterTurns,
    stage,
    canZoomIn: scale < maxScaleFor(fit),
    canZoomOut: scale > fit,
    /** Whether part of the image is out of sight. */
    isCut: stage.width > availableSize.width + 1 || stage.height > availableSize.height + 1,
    most: availableSize.height,
    zoom,
    fitAll: (): void => setChosen(null),
    showNatural: (clientX?: number, clientY?: number): void => {
      zoomAround(clientX, clientY)
      setChosen(1)
    },
    turn: (by: 1 | -1): void => {
      anchor.current = null
      setQuarterTurns(rotate(quarterTurns, by))
    },
  }
}

export type Zoom = ReturnType<typeof useZoom>
