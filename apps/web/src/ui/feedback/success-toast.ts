import { useEffect } from 'react'
import { closeToast, toast } from './toast.ts'

let shownToast: number | null = null

/**
 * Removes the last confirmation when something else has started. Otherwise, the confirmation would seem to refer to the new
 * action.
 */
export const clearSuccess = (): void => {
  if (shownToast !== null) closeToast(shownToast)
  shownToast = null
}

/** Confirms that an action is done. Only one confirmation is shown at a time. */
export const showSuccess = (text: string): void => {
  clearSuccess()
  shownToast = toast({ text, kind: 'success' })
}

/** Removes a page's confirmation when the user moves to the next page. A change of `place` counts as a move to the next page. */
export const useClearSuccess = (place = ''): void => {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the cleanup must run when the place changes
  useEffect(() => clearSuccess, [place])
}
