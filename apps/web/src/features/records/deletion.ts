import type { Job } from '@postil/contract/jobs.ts'
import { deletionDelay } from '@postil/contract/wire/limits.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Target } from '#features/assignments/public.ts'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { call } from '#lib/api/client.ts'
import { notifyJobStarted, stopJob, untilEnded } from '#lib/jobs.ts'
import { toast, toastProblem } from '#ui/feedback/toast.ts'

const toastKey = 'deletion'

/**
 * Deletes records after a delay, during which a notification offers to undo the deletion.
 * @returns `remove`. It resolves to true as soon as the deletion is scheduled, or to false if the server refuses the deletion
 */
export const useDeletion = (datasetId: string) => {
  const { t } = useTranslation('features/records')
  const client = useQueryClient()
  const [isStarting, setStarting] = useState(false)
  const counted = (count: number) => ({ count, shown: formatCount(count) })

  const resultText = ({ status, reason, deletions }: Job): string => {
    const { deleted = 0, kept = 0 } = deletions ?? {}
    if (status === 'canceled') return deleted === 0 ? t('delete.undone') : t('delete.stopped', counted(deleted))
    if (status !== 'finished') return reason ?? t('delete.stopped', counted(deleted))
    const done = t('delete.done', counted(deleted))
    return kept === 0 ? done : `${done} ${t('delete.keptCount', counted(kept))}`
  }
  const undo = async (id: string): Promise<void> => {
    try {
      await stopJob(id)
    } catch (problem) {
      toastProblem(problem)
    }
  }
  const follow = async (started: Job): Promise<void> => {
    try {
      const job = await untilEnded(started)
      for (const queryKey of [['dataset', datasetId], ['record'], ['home']]) void client.invalidateQueries({ queryKey })
      toast({ text: resultText(job), kind: job.status === 'failed' ? 'warning' : 'success', key: toastKey })
    } catch (problem) {
      toastProblem(problem)
    }
  }
  const remove = async (target: Target): Promise<boolean> => {
    setStarting(true)
    try {
      const job = await call('POST /datasets/:dataset_id/records/delete', { params: { dataset_id: datasetId }, body: target })
      notifyJobStarted(job)
      toast({
        text: t('delete.soon', counted(job.total ?? 0)),
        key: toastKey,
        duration: deletionDelay * 1000,
        button: { label: t('delete.undo'), onClick: () => void undo(job.id) },
      })
      void follow(job)
      return true
    } catch (problem) {
      toastProblem(problem)
      return false
    } finally {
      setStarting(false)
    }
  }
  return { remove, isStarting }
}
