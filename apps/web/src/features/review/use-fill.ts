import type { Job } from '@postil/contract/jobs.ts'
import type { GoldJobInput } from '@postil/contract/review.ts'
import { useQueryClient } from '@tanstack/react-query'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { type UndoableJob, useUndoableJob } from '#lib/use-undoable-job.ts'
import { startGoldJob, undoGoldJob } from './api.ts'

/**
 * Stores final answers by applying a rule. The result is shown in a notification that lets the user undo the job.
 * @param onDone called when a job has ended. @returns `fill`, which resolves to false if the server refuses the job, and
 * otherwise to true as soon as it has started
 */
export const useFill = (datasetId: string, onDone: () => void) => {
  const { t } = useTranslation('features/review')
  const client = useQueryClient()
  const { run, isStarting } = useUndoableJob({
    key: 'gold',
    texts: { running: t('fill.running'), stopped: t('fill.failed'), undo: t('fill.undo') },
    onEnded: () => {
      void client.invalidateQueries({ queryKey: ['dataset', datasetId] })
      void client.invalidateQueries({ queryKey: ['record'] })
      onDone()
    },
  })
  const counted = ({ gold }: Job) => ({ count: gold?.stored ?? 0, shown: formatCount(gold?.stored ?? 0) })
  const undoing = (id: string): UndoableJob => ({
    start: () => undoGoldJob(datasetId, id),
    describe: (job) => t('fill.undone', counted(job)),
    undo: () => null,
  })
  const fill = (body: GoldJobInput): Promise<boolean> =>
    run({
      start: () => startGoldJob(datasetId, body),
      describe: (job) => t('fill.done', counted(job)),
      undo: ({ id, gold }) => ((gold?.stored ?? 0) > 0 ? undoing(id) : null),
    })
  return { fill, isStarting }
}
