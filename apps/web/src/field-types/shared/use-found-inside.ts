import type { RefObject } from 'react'
import { useCallback, useRef } from 'react'
import { tellPainted } from '#lib/text/highlights.ts'

type Place = { readonly top: number; readonly bottom: number }

const isPlace = ({ top, bottom }: Place): boolean => Number.isFinite(top) && Number.isFinite(bottom)

/**
 * What a search has found in a frame's document is as if it were painted at the frame's own place.
 * @returns takes where the document says that it is, which is believed within the frame's own box
 */
export const useFoundInside = (frame: RefObject<HTMLIFrameElement | null>): ((place: Place) => void) => {
  const last = useRef<Place>({ top: 0, bottom: 0 })
  return useCallback(
    (place) => {
      const element = frame.current
      if (!element || !isPlace(place)) return
      last.current = place
      const range = document.createRange()
      range.selectNode(element)
      const box = (): DOMRect => {
        const { x, y, height } = element.getBoundingClientRect()
        const within = (at: number): number => Math.min(height, Math.max(0, at))
        const { top, bottom } = last.current
        return new DOMRect(x, y + within(top), 0, Math.min(height, bottom - top))
      }
      tellPainted('postil-search', { range, box })
    },
    [frame],
  )
}
