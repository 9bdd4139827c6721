import { useState } from 'react'

/** Work that a button starts: whether it is under way, and why it failed; null when it has not. Rejections end here. */
export const useDeed = () => {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<unknown>(null)
  const run = async (work: () => Promise<unknown>): Promise<boolean> => {
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
  return { busy, problem, run }
}
