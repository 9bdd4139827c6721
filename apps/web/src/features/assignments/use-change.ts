import type { Job } from '@postil/contract/jobs.ts'
import { useQueryClient } from '@tanstack/react-query'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { type UndoableJob, useUndoableJob } from '#lib/use-undoable-job.ts'
import { affectedKeys, type Change, startChange } from './api.ts'

/**
 * Changes assignments. The result is shown in a notification that lets the user undo the change.
 * @returns `change`. It resolves to false if the server refuses the change. Otherwise, it resolves to true as soon as the change
 * has started
 */
export const useChange = (datasetId: string) => {
  const { t } = useTranslation('features/assignments')
  const client = useQueryClient()
  const { run, isStarting } = useUndoableJob({
    key: 'assignments',
    texts: { running: t('running'), stopped: t('stopped'), undo: t('undo') },
    onEnded: () => {
      for (const queryKey of affectedKeys(datasetId)) void client.invalidateQueries({ queryKey })
    },
  })

  const resultText = (change: Change['do'], { assignments }: Job): string => {
    const { stored = 0, changed = 0 } = assignments ?? {}
    const done = t(`done.${change}`, { count: stored, formatted: formatCount(stored) })
    return changed === 0 ? done : `${done} ${t('kept', { count: changed, formatted: formatCount(changed) })}`
  }
  const jobOf = (change: Change): UndoableJob => ({
    start: () => startChange(datasetId, change),
    describe: (job) => resultText(change.do, job),
    undo: ({ id, assignments }) =>
      change.do !== 'undo' && (assignments?.stored ?? 0) > 0 ? jobOf({ do: 'undo', jobId: id }) : null,
  })
  return { change: (change: Change) => run(jobOf(change)), isStarting }
}
