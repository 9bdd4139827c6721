import type { Job } from '@postil/contract/jobs.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { isRunning, notifyJobStarted, untilEnded } from '#lib/jobs.ts'
import { toast, toastProblem } from '#ui/feedback/toast.ts'
import { affectedKeys, type Change, startChange } from './api.ts'

/** How long a change can be undone from its notification, in milliseconds. */
const undoDuration = 15_000

/**
 * Changes assignments. The result is shown in a notification, from which the change can be undone.
 * @returns `change`, which resolves to false if the server refuses the change, and otherwise to true as soon as it has started
 */
export const useChange = (datasetId: string) => {
  const { t } = useTranslation('features/assignments')
  const client = useQueryClient()
  const [isStarting, setStarting] = useState(false)

  /** What a finished change has done, and what it has left alone. */
  const resultText = (change: Change['do'], { assignments }: Job): string => {
    const { stored = 0, changed = 0 } = assignments ?? {}
    const done = t(`done.${change}`, { count: stored, formatted: formatCount(stored) })
    return changed === 0 ? done : `${done} ${t('kept', { count: changed, formatted: formatCount(changed) })}`
  }
  const finish = async (change: Change, started: Job): Promise<void> => {
    try {
      if (isRunning(started)) toast({ text: t('running'), key: 'assignments' })
      const job = await untilEnded(started)
      for (const queryKey of affectedKeys(datasetId)) void client.invalidateQueries({ queryKey })
      const canUndo = change.do !== 'undo' && (job.assignments?.stored ?? 0) > 0
      toast({
        text: job.status === 'finished' ? resultText(change.do, job) : (job.reason ?? t('stopped')),
        kind: job.status === 'finished' ? 'success' : 'warning',
        key: 'assignments',
        ...(canUndo && {
          duration: undoDuration,
          button: { label: t('undo'), onClick: () => void run({ do: 'undo', jobId: job.id }) },
        }),
      })
    } catch (problem) {
      toastProblem(problem)
    }
  }
  const run = async (change: Change): Promise<boolean> => {
    setStarting(true)
    try {
      const job = await startChange(datasetId, change)
      if (isRunning(job)) notifyJobStarted(job)
      void finish(change, job)
      return true
    } catch (problem) {
      toastProblem(problem)
      return false
    } finally {
      setStarting(false)
    }
  }
  return { change: run, isStarting }
}
