import type { AnswerJobInput } from '@postil/contract/answer-jobs.ts'
import type { Job } from '@postil/contract/jobs.ts'
import { useQueryClient } from '@tanstack/react-query'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { type UndoableJob, useUndoableJob } from '#lib/use-undoable-job.ts'
import { startAnswerJob, undoAnswerJob } from './api.ts'

/**
 * Returns or discards answers. The result is shown in a notification, from which it can be undone.
 * @returns `change`, which resolves to false if the server refuses it, and otherwise to true as soon as it has started
 */
export const useAnswerChange = (datasetId: string, onDone: () => void) => {
  const { t } = useTranslation('features/review')
  const client = useQueryClient()
  const { run, isStarting } = useUndoableJob({
    key: 'answers',
    texts: { running: t('answers.running'), stopped: t('answers.failed'), undo: t('answers.undo') },
    onEnded: () => {
      void client.invalidateQueries({ queryKey: ['dataset', datasetId] })
      void client.invalidateQueries({ queryKey: ['record'] })
      onDone()
    },
  })
  const counted = ({ answers }: Job) => ({ count: answers?.stored ?? 0, shown: formatCount(answers?.stored ?? 0) })
  const undoing = (id: string): UndoableJob => ({
    start: () => undoAnswerJob(datasetId, id),
    describe: (job) => t('answers.undone', counted(job)),
    undo: () => null,
  })
  const change = (body: AnswerJobInput): Promise<boolean> =>
    run({
      start: () => startAnswerJob(datasetId, body),
      describe: (job) => (body.change === 'return' ? t('answers.returned', counted(job)) : t('answers.discarded', counted(job))),
      undo: ({ id, answers }) => ((answers?.stored ?? 0) > 0 ? undoing(id) : null),
    })
  return { change, isStarting }
}
