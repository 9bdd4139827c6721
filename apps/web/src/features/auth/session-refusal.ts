import type { ApiError } from '#lib/api/api-error.ts'
import { closeToast, toastProblem } from '#ui/feedback/toast.ts'

let shownToast: number | null = null

/** Shows that the server no longer knows the session. The message stays until a user signs in or the sign-in page shows it. */
export const showSessionRefusal = (refusal: ApiError): void => {
  shownToast = toastProblem(refusal)
}

export const hideSessionRefusal = (): void => {
  if (shownToast !== null) closeToast(shownToast)
  shownToast = null
}
