import type { ApiError } from '#lib/api/api-error.ts'
import { closeToast, toastProblem } from '#ui/feedback/toast.ts'

let shownToast: number | null = null

/** Shows a message that the session is no longer valid. The message stays until `hideSessionRefusal` is called. */
export const showSessionRefusal = (refusal: ApiError): void => {
  shownToast = toastProblem(refusal)
}

export const hideSessionRefusal = (): void => {
  if (shownToast !== null) closeToast(shownToast)
  shownToast = null
}
