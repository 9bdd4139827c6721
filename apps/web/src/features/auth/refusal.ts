import type { ApiError } from '#lib/api/api-error.ts'
import { closeToast, toastProblem } from '#ui/telling/toast.ts'

let told: number | null = null

/** Says that the server no longer knows the session, until somebody is in again or sign-in says it. */
export const tellRefusal = (refusal: ApiError): void => {
  told = toastProblem(refusal)
}

export const takeBackRefusal = (): void => {
  if (told !== null) closeToast(told)
  told = null
}
