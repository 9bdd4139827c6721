import { ApiError } from './api-error.ts'

type QueryState = { readonly data: unknown; readonly error: Error | null }

/**
 * Returns why a screen can't be shown, or null if it can: its data was never loaded, or access is now denied. While the server
 * is down, loaded data stays on the screen with the user's edits.
 */
export const blockingError = (...reads: readonly QueryState[]): Error | null => {
  const isBlocking = ({ data, error }: QueryState): boolean =>
    error !== null && (data === undefined || !(error instanceof ApiError && error.isTransient))
  return reads.find(isBlocking)?.error ?? null
}
