import { useState } from 'react'
import { useMedia } from '#ui/page/use-media.ts'

/**
 * Matches if the form is below the record. Doesn't match a short window that is wide enough for both columns, such as a phone
 * in landscape orientation or a zoomed page.
 */
const stackedQuery = '(max-width: 40rem), (max-width: 56rem) and (min-height: 30.0625rem)'

const isTyping = (): boolean => document.activeElement?.matches(':read-write') ?? false

/** Whether the form is below the record. An on-screen keyboard makes the window shorter, but doesn't change the layout. */
export const useStackedLayout = (): boolean => {
  const isStacked = useMedia(stackedQuery)
  const [last, setLast] = useState({ isStacked, shown: isStacked, width: window.innerWidth })
  if (last.isStacked !== isStacked) {
    const { innerWidth: width } = window
    setLast({ isStacked, width, shown: isTyping() && width === last.width ? last.shown : isStacked })
  }
  return last.shown
}
