import type { MouseEvent } from 'react'
import { useCallback, useRef } from 'react'
import { doubleClickTime } from '#lib/constants.ts'

/**
 * For buttons that show the next record or other new content when they are pressed. Ignores the second press of a double click,
 * because it would apply to the new content.
 */
export const useSinglePress = (): ((press: () => void) => (event: MouseEvent) => void) => {
  const last = useRef(Number.NEGATIVE_INFINITY)
  return useCallback(
    (press) =>
      ({ detail, timeStamp }) => {
        if (detail > 1 && timeStamp - last.current < doubleClickTime) return
        last.current = timeStamp
        press()
      },
    [],
  )
}
