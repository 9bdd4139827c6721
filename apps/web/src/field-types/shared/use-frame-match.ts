import type { RefObject } from 'react'
import { useCallback, useRef } from 'react'
import { dispatchPainted } from '#lib/text/highlights.ts'

type VerticalRange = { readonly top: number; readonly bottom: number }

const isValidRange = ({ top, bottom }: VerticalRange): boolean => Number.isFinite(top) && Number.isFinite(bottom)

/**
 * Reports a search match inside a frame's document to the page, with the event that is also used for matches in the page itself.
 * @returns a function that takes the vertical range of the match as the frame reported it. The reported position is limited to
 * the frame's box
 */
export const useFrameMatch = (frame: RefObject<HTMLIFrameElement | null>): ((place: VerticalRange) => void) => {
  const last = useRef<VerticalRange>({ top: 0, bottom: 0 })
  return useCallback(
    (place) => {
      const element = frame.current
      if (!element || !isValidRange(place)) return
      last.current = place
      const range = document.createRange()
      range.selectNode(element)
      const box = (): DOMRect => {
        const { x, y, height } = element.getBoundingClientRect()
        const clampToFrame = (at: number): number => Math.min(height, Math.max(0, at))
        const { top, bottom } = last.current
        return new DOMRect(x, y + clampToFrame(top), 0, Math.min(height, bottom - top))
      }
      dispatchPainted('postil-search', { range, box })
    },
    [frame],
  )
}
