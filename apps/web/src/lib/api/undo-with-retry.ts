import { nextRetry } from '#lib/net/next-retry.ts'
import { ApiError } from './api-error.ts'

/** Whether the server didn't receive the request or was unable to process it at that time. */
const isRetryable = (error: unknown): boolean => error instanceof ApiError && (error.status === 0 || error.status >= 500)

/**
 * Undoes an action that failed halfway: immediately, or as soon as the server can be reached again. Resolves after the first try
 * and never rejects.
 * @param onUndone called when the action is undone
 */
export const undoWithRetry = async (
  undo: () => Promise<unknown>,
  onUndone?: () => void,
  waitForRetry = nextRetry,
): Promise<void> => {
  try {
    await undo()
    onUndone?.()
  } catch (error) {
    if (isRetryable(error)) void waitForRetry().then(() => undoWithRetry(undo, onUndone, waitForRetry))
  }
}
