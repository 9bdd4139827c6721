import type { Job } from '@postil/contract/jobs.ts'
import type { GoldJobInput } from '@postil/contract/review.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { isRunning, notifyJobStarted, untilEnded } from '#lib/jobs.ts'
import { toast, toastProblem } from '#ui/feedback/toast.ts'
import { startGoldJob, undoGoldJob } from './api.ts'

/** How long the job can be undone from its notification, in milliseconds. */
const undoDuration = 15_000

/**
 * Stores final answers by a rule. The result is shown in a notification, from which it can be undone.
 * @param onDone called when a job has ended. @returns `fill`, which resolves to false if the server refuses it, and otherwise to true as soon as it has started
 */
export const useFill = (datasetId: string, onDone: () => void) => {
  const { t } = useTranslation('features/review')
  const client = useQueryClient()
  const [isStarting, setStarting] = useState(false)
  const finish = async (started: Job, isUndo: boolean): Promise<void> => {
    try {
      if (isRunning(started)) toast({ text: t('fill.running'), key: 'gold' })
      const job = await untilEnded(started)
      void client.invalidateQueries({ queryKey: ['dataset', datasetId] })
      void client.invalidateQueries({ queryKey: ['record'] })
      onDone()
      const stored = job.gold?.stored ?? 0
      const counts = { count: stored, shown: formatCount(stored) }
      const done = isUndo ? t('fill.undone', counts) : t('fill.done', counts)
      toast({
        text: job.status === 'finished' ? done : (job.reason ?? t('fill.failed')),
        kind: job.status === 'finished' ? 'success' : 'warning',
        key: 'gold',
        ...(!isUndo &&
          stored > 0 && {
            duration: undoDuration,
            button: { label: t('fill.undo'), onClick: () => void run(() => undoGoldJob(datasetId, job.id), true) },
          }),
      })
    } catch (problem) {
      toastProblem(problem)
    }
  }
  const run = async (start: () => Promise<Job>, isUndo = false): Promise<boolean> => {
    setStarting(true)
    try {
      const job = await start()
      if (isRunning(job)) notifyJobStarted(job)
      void finish(job, isUndo)
      return true
    } catch (problem) {
      toastProblem(problem)
      return false
    } finally {
      setStarting(false)
    }
  }
  return { fill: (body: GoldJobInput) => run(() => startGoldJob(datasetId, body)), isStarting }
}
