import { useState } from 'react'
import { useMedia } from './use-media.ts'

/**
 * Where the form lies below the record. In a window that is wide enough for both it does not where it is low: a phone on its side, a page that is
 * made larger.
 */
const stacked = '(max-width: 40rem), (max-width: 56rem) and (min-height: 30.0625rem)'

const isWriting = (): boolean => document.activeElement?.matches(':read-write') ?? false

/** Whether the form lies below the record. A keyboard on the screen makes a window low: what is written in the form then stays where it is. */
export const useStacked = (): boolean => {
  const wanted = useMedia(stacked)
  const [last, setLast] = useState({ wanted, shown: wanted, width: window.innerWidth })
  if (last.wanted !== wanted) {
    const { innerWidth: width } = window
    setLast({ wanted, width, shown: isWriting() && width === last.width ? last.shown : wanted })
  }
  return last.shown
}
