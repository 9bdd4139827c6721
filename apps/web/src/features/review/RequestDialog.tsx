import { type AnswerJobInput, maxRequestedAnswers } from '@postil/contract/answer-jobs.ts'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { stopJob, untilEnded } from '#lib/jobs.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Input } from '#ui/controls/Input.tsx'
import { ProblemText } from '#ui/feedback/ProblemNotice.tsx'
import { Dialog } from '#ui/overlays/Dialog.tsx'
import { type GoldTarget, startAnswerJob } from './api.ts'
import styles from './ReturnDialog.module.css'
import { useAnswerChange } from './use-answer-change.ts'

type Props = {
  readonly datasetId: string
  readonly target: GoldTarget
  /** The number of records. */
  readonly count: number
  /** Called when answers were requested, or a request was withdrawn. */
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Requests more answers to records. Shows in advance how many completed records become pending again. */
export const RequestDialog = ({ datasetId, target, count, onDone, onClose }: Props) => {
  const { t } = useTranslation('features/review')
  const [typed, setTyped] = useState('1')
  const answers = /^\d{1,3}$/.test(typed) && Number(typed) >= 1 && Number(typed) <= maxRequestedAnswers ? Number(typed) : null
  const body: AnswerJobInput = { ...target, change: 'request', answers }
  const counted = useQuery({
    queryKey: ['dataset', datasetId, 'requested-answers', target, answers],
    queryFn: async ({ signal }) => {
      const job = await startAnswerJob(datasetId, { ...body, dry_run: true })
      const stop = () => void stopJob(job.id).catch(() => undefined)
      if (signal.aborted) stop()
      signal.addEventListener('abort', stop)
      return untilEnded(job)
    },
    enabled: answers !== null,
    gcTime: 0,
  })
  const { change, isStarting } = useAnswerChange(datasetId, onDone)
  const counts = counted.data?.answers
  const confirm = async (): Promise<void> => {
    if (await change(body)) onClose()
  }
  const result = (): ReactNode => {
    if (answers === null) return null
    if (counted.error) return <ProblemText error={counted.error} />
    if (counted.data === undefined) return t('fill.counting')
    if (counts === undefined || counted.data.status !== 'finished') return counted.data.reason ?? t('answers.failed')
    const { moved = 0, invalid } = counts
    return (
      <>
        {t('request.moved', { count: moved, shown: formatCount(moved) })}
        {invalid > 0 && ` ${t('request.full', { count: invalid, shown: formatCount(invalid) })}`}
      </>
    )
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('request.title', { count, shown: formatCount(count) })}
      actions={
        <>
          <Button onClick={onClose}>{t('return.cancel')}</Button>
          <Button
            look="primary"
            busy={isStarting}
            disabled={answers === null || (counts?.stored ?? 0) === 0}
            onClick={() => void confirm()}
          >
            {t('request.action')}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        <p className={styles['hint']}>{t('request.hint')}</p>
        <Input
          label={t('request.answers')}
          inputMode="numeric"
          value={typed}
          error={answers === null ? t('request.fault', { max: formatCount(maxRequestedAnswers) }) : null}
          onChange={({ target: input }) => setTyped(input.value)}
        />
        <p role="status">{result()}</p>
      </div>
    </Dialog>
  )
}
