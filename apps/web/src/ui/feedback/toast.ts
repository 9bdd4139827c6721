import { problemMessage } from '#lib/api/messages.ts'
import type { ToastOptions } from './toast-store.ts'
import { createToastStore } from './toast-store.ts'

/** The web app's notifications, which `ToastRegion` shows. */
export const toasts = createToastStore()

/** Shows a notification and returns its ID for `closeToast`. */
export const toast = (options: ToastOptions): number => toasts.add(options)
export const closeToast = (id: number): void => toasts.close(id)

/** Shows a danger notification for a problem and closes the earlier ones, except permanent ones. */
export const toastProblem = (error: unknown): number => {
  toasts.closePassing('danger')
  return toasts.add({ text: problemMessage(error), kind: 'danger', key: 'problem', error })
}
