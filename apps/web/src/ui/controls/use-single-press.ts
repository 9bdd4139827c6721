import type { MouseEvent } from 'react'
import { useCallback, useRef } from 'react'
import { doubleClick } from '#lib/constants.ts'

/** For buttons whose press brings something else on the screen: the second press of a double click is none, as it was not meant for that. */
export const useSinglePress = (): ((press: () => void) => (event: MouseEvent) => void) => {
  const last = useRef(Number.NEGATIVE_INFINITY)
  return useCallback(
    (press) =>
      ({ detail, timeStamp }) => {
        if (detail > 1 && timeStamp - last.current < doubleClick) return
        last.current = timeStamp
        press()
      },
    [],
  )
}
