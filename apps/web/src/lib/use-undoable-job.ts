import type { Job } from '@postil/contract/jobs.ts'
import { useState } from 'react'
import { toast, toastProblem } from '#ui/feedback/toast.ts'
import { isRunning, notifyJobStarted, untilEnded } from './jobs.ts'

/** How long a job can be undone from its notification, in milliseconds. */
const undoDuration = 15_000

export type UndoableJob = {
  /** Starts the job. */
  readonly start: () => Promise<Job>
  /** Returns text that says what the finished job has done. */
  readonly describe: (job: Job) => string
  /** The job that undoes the finished job, or null if there is nothing to undo. */
  readonly undo: (job: Job) => UndoableJob | null
}

type Options = {
  /** Identifies the notification. A later notification with the same key replaces it. */
  readonly key: string
  readonly texts: { readonly running: string; readonly stopped: string; readonly undo: string }
  /** Called when a job has ended, even if it failed. */
  readonly onEnded: () => void
}

/**
 * Runs jobs of a feature. A notification shows the result of each job. Users can undo the job from the notification.
 * @returns `run`, which resolves to false if the server refuses the job, and otherwise to true as soon as the job has started
 */
export const useUndoableJob = ({ key, texts, onEnded }: Options) => {
  const [isStarting, setStarting] = useState(false)
  const finish = async ({ describe, undo }: UndoableJob, started: Job): Promise<void> => {
    try {
      if (isRunning(started)) toast({ text: texts.running, key })
      const job = await untilEnded(started)
      onEnded()
      const opposite = undo(job)
      const isFinished = job.status === 'finished'
      toast({
        text: isFinished ? describe(job) : (job.reason ?? texts.stopped),
        kind: isFinished ? 'success' : 'warning',
        key,
        ...(opposite && { duration: undoDuration, button: { label: texts.undo, onClick: () => void run(opposite) } }),
      })
    } catch (problem) {
      toastProblem(problem)
    }
  }
  const run = async (wanted: UndoableJob): Promise<boolean> => {
    setStarting(true)
    try {
      const job = await wanted.start()
      if (isRunning(job)) notifyJobStarted(job)
      void finish(wanted, job)
      return true
    } catch (problem) {
      toastProblem(problem)
      return false
    } finally {
      setStarting(false)
    }
  }
  return { run, isStarting }
}
