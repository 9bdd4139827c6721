import { useState } from 'react'
import { forgetDone } from '#ui/telling/done.ts'

/** Work that a button starts: whether it is under way, and why it failed; null when it has not. Rejections end here. */
export const useDeed = () => {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<unknown>(null)
  const run = async (work: () => Promise<unknown>): Promise<boolean> => {
    forgetDone()
    setBusy(true)
    setProblem(null)
    try {
      await work()
      return true
    } catch (error) {
      setProblem(error)
      return false
    } finally {
      setBusy(false)
    }
  }
  /** Something else is begun, of which it is not told. */
  const forget = (): void => setProblem(null)
  return { busy, problem, run, forget }
}
