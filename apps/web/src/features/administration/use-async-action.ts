import { useState } from 'react'
import { clearSuccess } from '#ui/feedback/success-toast.ts'

/**
 * Runs a button's action. Provides whether the action is running, and the error of the last attempt. If the action rejects, the
 * error is stored and not passed on.
 */
export const useAsyncAction = () => {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<unknown>(null)
  const run = async (action: () => Promise<unknown>): Promise<boolean> => {
    clearSuccess()
    setBusy(true)
    setProblem(null)
    try {
      await action()
      return true
    } catch (error) {
      setProblem(error)
      return false
    } finally {
      setBusy(false)
    }
  }
  /** Clears the error when the user starts something else. */
  const clearProblem = (): void => setProblem(null)
  return { busy, problem, run, clearProblem }
}
