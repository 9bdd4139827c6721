import { useState } from 'react'
import { toastProblem } from '#ui/feedback/toast.ts'

/**
 * Runs a button's action. A problem is shown in a notification.
 * @returns `run`, which resolves to whether the action succeeded
 */
export const useAction = () => {
  const [busy, setBusy] = useState(false)
  const run = async (action: () => Promise<unknown>): Promise<boolean> => {
    setBusy(true)
    try {
      await action()
      return true
    } catch (problem) {
      toastProblem(problem)
      return false
    } finally {
      setBusy(false)
    }
  }
  return { busy, run }
}
