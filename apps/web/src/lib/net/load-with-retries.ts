import { nextRetry } from './next-retry.ts'

/** Repeats a load until it succeeds. Reports each failure and waits for the next chance. Never rejects. */
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
