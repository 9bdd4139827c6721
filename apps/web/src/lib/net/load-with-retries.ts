import { nextRetry } from './next-retry.ts'

/**
 * Repeats a load until it succeeds. After each failure, calls `onFailure` and waits until a retry may succeed. Never rejects.
 */
export const loadWithRetries = async <T>(load: () => Promise<T>, onFailure: () => void, waitForRetry = nextRetry): Promise<T> => {
  for (;;) {
    try {
      return await load()
    } catch {
      onFailure()
      await waitForRetry()
    }
  }
}
