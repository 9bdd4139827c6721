import { useState } from 'react'
import { problemMessage } from '#lib/api/messages.ts'

/** Work that a button starts: whether it is under way, and why it failed. Rejections end here. */
export const useDeed = () => {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const run = async (work: () => Promise<unknown>): Promise<boolean> => {
    setBusy(true)
    setProblem(null)
    try {
      await work()
      return true
    } catch (error) {
      setProblem(problemMessage(error))
      return false
    } finally {
      setBusy(false)
    }
  }
  return { busy, problem, run }
}
