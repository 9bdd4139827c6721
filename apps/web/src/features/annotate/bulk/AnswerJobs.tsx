import type { BulkAnswerJob } from '@postil/contract/bulk-answers.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { WithReason } from '#features/jobs/service.ts'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { isRunning, stopJob } from '#lib/jobs.ts'
import { Button } from '#ui/controls/Button.tsx'
import { IconButton } from '#ui/controls/IconButton.tsx'
import { CloseIcon } from '#ui/marks/first-icons.tsx'
import { announce } from '#ui/telling/announcer.ts'
import { Notice } from '#ui/telling/Notice.tsx'
import { ProgressBar } from '#ui/waiting/ProgressBar.tsx'
import { metricsQuery, progressQuery } from '../api.ts'
import { useKept } from '../layout-store.ts'
import styles from './AnswerJobs.module.css'
import { answerJobsQuery, reportHref } from './api.ts'
import type { JobUndo } from './use-job-undo.ts'

type Props = {
  readonly datasetId: string
  readonly undo: JobUndo
  /** One of them has ended: what was read before is not true any more. */
  readonly onEnded: () => void
}
type OneProps = { readonly datasetId: string; readonly one: BulkAnswerJob }

const noAnswers = { stored: 0, invalid: 0, changed: 0, gone: 0 }
const reasons = ['invalid', 'changed', 'gone'] as const

const Running = ({ datasetId, one: { job, status, undoes } }: OneProps) => {
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

type EndedProps = OneProps & { readonly undo: JobUndo; readonly onClose: () => void }

const Ended = ({ datasetId, one: { job, status, undoes }, undo, onClose }: EndedProps) => {
  const { t } = useTranslation('features/annotate')
  const counts = job.answers ?? noAnswers
  const waiting = (job.total ?? 0) - (job.done ?? 0)
  const left = reasons.filter((reason) => counts[reason] > 0)
  const isWhole = job.status === 'finished' && left.length === 0
  const { id } = undo
  const stored = { count: counts.stored, formatted: formatCount(counts.stored) }
  const wordsOf = (reason: (typeof reasons)[number]): string => {
    const number = { count: counts[reason], formatted: formatCount(counts[reason]) }
    return undoes !== null && reason === 'invalid' ? t('bulk.job.notUndone', number) : t(`bulk.job.${reason}`, number)
  }
  return (
    <Notice
      kind={job.status === 'failed' ? 'danger' : isWhole ? 'info' : 'warning'}
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
        {left.map((reason) => (
          <span key={reason}>{wordsOf(reason)} </span>
        ))}
        {job.status === 'canceled' && t('bulk.job.stopped', { count: waiting, formatted: formatCount(waiting) })}
        {job.status === 'failed' && <WithReason of={job}>{(reason) => t('bulk.job.failed', { reason })}</WithReason>}{' '}
        <a href={reportHref(datasetId, job.id)}>{t('bulk.job.report')}</a>
      </p>
    </Notice>
  )
}

/** What the server is answering, and what became of it: also for whoever comes back later. */
export const AnswerJobs = ({ datasetId, undo, onEnded }: Props) => {
  const { t } = useTranslation('features/annotate')
  const client = useQueryClient()
  const { data: jobs } = useQuery(answerJobsQuery(datasetId))
  const [seen, setSeen] = useKept<string>(`answer-jobs:${datasetId}`, '')
  const going = jobs?.filter(({ job }) => isRunning(job)) ?? []
  const ended = jobs?.find(({ job }) => !isRunning(job))
  const done = going.reduce((sum, { job }) => sum + (job.done ?? 0), 0)

  // The newest of those that have ended when this was first looked at: what ends later is news.
  const known = useRef<string | null | undefined>(undefined)
  const endedId = ended?.job.id ?? null
  const isUndone = (ended?.undoes ?? null) !== null
  const isKnown = jobs !== undefined
  useEffect(() => {
    if (!isKnown || known.current === endedId) return
    const isFirst = known.current === undefined
    known.current = endedId
    if (isFirst) return
    announce(isUndone ? t('bulk.job.announcedUndone') : t('bulk.job.announced'))
    onEnded()
  }, [isKnown, endedId, isUndone, onEnded, t])
  // How far the jobs are, and which of them is over: what both have done is counted anew.
  useEffect(() => {
    if (done === 0 && endedId === null) return
    void client.invalidateQueries({ queryKey: metricsQuery(datasetId).queryKey })
    void client.invalidateQueries({ queryKey: progressQuery(datasetId).queryKey })
  }, [client, datasetId, done, endedId])

  // What goes on matters more than what is over: on a phone there is room for one of them.
  const isTold = going.length === 0 && ended !== undefined && ended.inserted_at > seen
  if (going.length === 0 && !isTold) return null
  return (
    <section className={styles['jobs']} aria-label={t('bulk.job.title')}>
      {going.map((one) => (
        <Running key={one.job.id} datasetId={datasetId} one={one} />
      ))}
      {isTold && <Ended datasetId={datasetId} one={ended} undo={undo} onClose={() => setSeen(ended.inserted_at)} />}
    </section>
  )
}
