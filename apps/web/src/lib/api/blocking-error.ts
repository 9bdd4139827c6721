import { ApiError } from './api-error.ts'

type QueryState = { readonly data: unknown; readonly error: Error | null }

/**
 * Returns the error that keeps a screen from being shown: its data was never loaded, or access is now denied. Null if the
 * screen can be shown. While the server is down, loaded data stays on the screen with the user's edits.
 */
export const blockingError = (...reads: readonly QueryState[]): Error | null => {
  const isBlocking = ({ data, error }: QueryState): boolean =>
    error !== null && (data === undefined || !(error instanceof ApiError && error.isTransient))
  return reads.find(isBlocking)?.error ?? null
}
