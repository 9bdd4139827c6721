import type { AnswerJobInput } from '@postil/contract/answer-jobs.ts'
import type { Job } from '@postil/contract/jobs.ts'
import { useQueryClient } from '@tanstack/react-query'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { type UndoableJob, useUndoableJob } from '#lib/use-undoable-job.ts'
import { startAnswerJob, undoAnswerJob } from './api.ts'

/**
 * Returns, discards or requests answers. The result is shown in a notification that lets the user undo the change.
 * @returns `change`, which resolves to false if the server refuses the change, and otherwise to true as soon as it has started
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
  const describe = {
    return: (job: Job) => t('answers.returned', counted(job)),
    discard: (job: Job) => t('answers.discarded', counted(job)),
    request: (job: Job) => t('request.done', counted(job)),
  }
  const undoing = (id: string, { change }: AnswerJobInput): UndoableJob => ({
    start: () => undoAnswerJob(datasetId, id),
    describe: (job) => (change === 'request' ? t('request.undone', counted(job)) : t('answers.undone', counted(job))),
    undo: () => null,
  })
  const change = (body: AnswerJobInput): Promise<boolean> =>
    run({
      start: () => startAnswerJob(datasetId, body),
      describe: describe[body.change],
      undo: ({ id, answers }) => ((answers?.stored ?? 0) > 0 ? undoing(id, body) : null),
    })
  return { change, isStarting }
}
