import { ApiError } from './api-error.ts'

type Read = { readonly data: unknown; readonly error: Error | null }

/**
 * Why a screen cannot be shown, null when it can: what it is made of was not read, or is refused by now. What was read goes on being shown
 * while the server is away, with whatever has been written into it.
 */
export const unread = (...reads: readonly Read[]): Error | null => {
  const isInTheWay = ({ data, error }: Read): boolean =>
    error !== null && (data === undefined || !(error instanceof ApiError && error.isTransient))
  return reads.find(isInTheWay)?.error ?? null
}
