import type { BulkAnswerJob } from '@postil/contract/bulk-answers.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { FailureReason } from '#features/jobs/public.ts'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { isRunning, stopJob } from '#lib/jobs.ts'
import { Button } from '#ui/controls/Button.tsx'
import { IconButton } from '#ui/controls/IconButton.tsx'
import { announce } from '#ui/feedback/announcer.ts'
import { Notice } from '#ui/feedback/Notice.tsx'
import { ProgressBar } from '#ui/loading/ProgressBar.tsx'
import { CloseIcon } from '#ui/marks/first-icons.tsx'
import { metricsQuery, progressQuery } from '../api.ts'
import { useStoredLayout } from '../layout/use-stored-layout.ts'
import styles from './AnswerJobs.module.css'
import { answerJobsQuery, reportHref } from './api.ts'
import type { JobUndo } from './use-job-undo.ts'

type Props = {
  readonly datasetId: string
  readonly undo: JobUndo
  /** Called when a job has ended and loaded data is therefore stale. */
  readonly onEnded: () => void
}
type JobProps = { readonly datasetId: string; readonly bulkJob: BulkAnswerJob }

const noAnswers = { stored: 0, invalid: 0, changed: 0, gone: 0 }
const reasons = ['invalid', 'changed', 'gone'] as const

const Running = ({ datasetId, bulkJob: { job, status, undoes } }: JobProps) => {
  const { t } = useTranslation('features/annotate')
  const client = useQueryClient()
  const stop = useMutation({
    mutationFn: () => stopJob(job.id),
    onSettled: () => client.invalidateQueries({ queryKey: answerJobsQuery(datasetId).queryKey }),
  })
  const { done = 0 } = job
  const total = job.total ?? 0
  const words = undoes === null ? t(`bulk.job.running.${status}`) : t('bulk.job.undoing')
  return (
    <div className={styles['running']}>
      <ProgressBar
        className={styles['progress']}
        label={words}
        value={done}
        total={total}
        text={`${words}: ${t('bulk.job.done', { count: total, done: formatCount(done), total: formatCount(total) })}`}
      />
      <Button busy={stop.isPending} onClick={() => stop.mutate()}>
        {t('bulk.job.stop')}
      </Button>
    </div>
  )
}

type EndedProps = JobProps & { readonly undo: JobUndo; readonly onClose: () => void }

const Ended = ({ datasetId, bulkJob: { job, status, undoes }, undo, onClose }: EndedProps) => {
  const { t } = useTranslation('features/annotate')
  const counts = job.answers ?? noAnswers
  const waiting = (job.total ?? 0) - (job.done ?? 0)
  const failedReasons = reasons.filter((reason) => counts[reason] > 0)
  const isComplete = job.status === 'finished' && failedReasons.length === 0
  const { id } = undo
  const stored = { count: counts.stored, formatted: formatCount(counts.stored) }
  const textOf = (reason: (typeof reasons)[number]): string => {
    const number = { count: counts[reason], formatted: formatCount(counts[reason]) }
    return undoes !== null && reason === 'invalid' ? t('bulk.job.notUndone', number) : t(`bulk.job.${reason}`, number)
  }
  return (
    <Notice
      kind={job.status === 'failed' ? 'danger' : isComplete ? 'info' : 'warning'}
      action={
        <span className={styles['actions']}>
          {id !== null && (
            <Button busy={undo.isStarting} onClick={() => undo.undo(id)}>
              {t('action.undo')}
            </Button>
          )}
          <IconButton icon={CloseIcon} label={t('bulk.job.close')} onClick={onClose} />
        </span>
      }
    >
      <p>
        {undoes === null ? t(`bulk.job.ended.${status}`, stored) : t('bulk.job.undone', stored)}{' '}
        {failedReasons.map((reason) => (
          <span key={reason}>{textOf(reason)} </span>
        ))}
        {job.status === 'canceled' && t('bulk.job.stopped', { count: waiting, formatted: formatCount(waiting) })}
        {job.status === 'failed' && <FailureReason of={job}>{(reason) => t('bulk.job.failed', { reason })}</FailureReason>}{' '}
        <a href={reportHref(datasetId, job.id)}>{t('bulk.job.report')}</a>
      </p>
    </Notice>
  )
}

/** Bulk answer jobs that are running or have ended, including those from an earlier visit. */
export const AnswerJobs = ({ datasetId, undo, onEnded }: Props) => {
  const { t } = useTranslation('features/annotate')
  const client = useQueryClient()
  const { data: jobs } = useQuery(answerJobsQuery(datasetId))
  const [seen, setSeen] = useStoredLayout<string>(`answer-jobs:${datasetId}`, '')
  const running = jobs?.filter(({ job }) => isRunning(job)) ?? []
  const ended = jobs?.find(({ job }) => !isRunning(job))
  const done = running.reduce((sum, { job }) => sum + (job.done ?? 0), 0)

  // The ID of the latest job that had already ended on the first render. Only jobs that end later are announced.
  const knownEndedId = useRef<string | null | undefined>(undefined)
  const endedId = ended?.job.id ?? null
  const isUndone = (ended?.undoes ?? null) !== null
  const isKnown = jobs !== undefined
  useEffect(() => {
    if (!isKnown || knownEndedId.current === endedId) return
    const isFirst = knownEndedId.current === undefined
    knownEndedId.current = endedId
    if (isFirst) return
    announce(isUndone ? t('bulk.job.announcedUndone') : t('bulk.job.announced'))
    onEnded()
  }, [isKnown, endedId, isUndone, onEnded, t])
  // Reloads the counts while bulk answer jobs and their undo jobs make progress, and when one ends.
  useEffect(() => {
    if (done === 0 && endedId === null) return
    void client.invalidateQueries({ queryKey: metricsQuery(datasetId).queryKey })
    void client.invalidateQueries({ queryKey: progressQuery(datasetId).queryKey })
  }, [client, datasetId, done, endedId])

  // A phone has space for only one job. A running job takes precedence over one that has ended.
  const showsEnded = running.length === 0 && ended !== undefined && ended.inserted_at > seen
  if (running.length === 0 && !showsEnded) return null
  return (
    <section className={styles['jobs']} aria-label={t('bulk.job.title')}>
      {running.map((bulkJob) => (
        <Running key={bulkJob.job.id} datasetId={datasetId} bulkJob={bulkJob} />
      ))}
      {showsEnded && <Ended datasetId={datasetId} bulkJob={ended} undo={undo} onClose={() => setSeen(ended.inserted_at)} />}
    </section>
  )
}
