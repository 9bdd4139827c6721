import { problemMessage } from '#lib/api/messages.ts'
import type { ToastOptions } from './toast-store.ts'
import { createToastStore } from './toast-store.ts'

/** The page's notifications; `ToastRegion` shows them. */
export const toasts = createToastStore()

/** Shows a notification; gives its id for `closeToast`. */
export const toast = (options: ToastOptions): number => toasts.add(options)
export const closeToast = (id: number): void => toasts.close(id)

/** One danger notice for a problem; an earlier one is cleared first. */
export const toastProblem = (error: unknown): number => {
  toasts.closePassing('danger')
  return toasts.add({ text: problemMessage(error), kind: 'danger', key: 'problem', error })
}
