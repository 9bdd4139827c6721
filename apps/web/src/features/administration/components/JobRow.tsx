import type { JobStatus, ListedJob } from '@postil/contract/jobs.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { WithReason } from '#features/jobs/service.ts'
import { formatAgo, formatCount, formatDateTime, formatPercent } from '#i18n/format.ts'
import { announce } from '#ui/announcer.ts'
import { Button } from '#ui/Button.tsx'
import type { Icon } from '#ui/icons.tsx'
import { CheckIcon, DangerIcon, DiscardedIcon, PendingIcon, SpinnerIcon } from '#ui/icons.tsx'
import { ProgressBar } from '#ui/ProgressBar.tsx'
import { toastProblem } from '#ui/toast.ts'
import { jobsQuery, stopJob } from '../instance-api.ts'
import styles from './Jobs.module.css'

/** Kinds of jobs that have words of their own; others are shown by their names. */
const kinds = {
  'imports.file': 'importFile',
  'hub.import': 'importHub',
  'hub.export': 'exportHub',
  'responses.bulk': 'answers',
  'dataset.purge': 'purge',
  'dataset.remove-files': 'purgeFiles',
  'dataset.sweep-files': 'sweepFiles',
  'dataset.rebuild': 'rebuild',
  'dataset.recompute-statuses': 'statuses',
  'text.rebuild': 'textIndex',
  'property.backfill': 'property',
  'schema.drop-rows': 'dropProperty',
  'user.remove-responses': 'userResponses',
} as const
const isKnown = (kind: string): kind is keyof typeof kinds => Object.hasOwn(kinds, kind)

const icons: { readonly [S in JobStatus]: Icon } = {
  queued: PendingIcon,
  scheduled: PendingIcon,
  deferred: PendingIcon,
  started: SpinnerIcon,
  finished: CheckIcon,
  failed: DangerIcon,
  stopped: DiscardedIcon,
  canceled: DiscardedIcon,
}

/** One piece of work: what it is about, whose it is, how far it came, and why it did not go on. */
export const JobRow = ({ job }: { readonly job: ListedJob }) => {
  const { t } = useTranslation('features/administration')
  const client = useQueryClient()
  const stop = useMutation({
    mutationFn: () => stopJob(job.id),
    onSuccess: () => announce(t('jobs.isStopped')),
    onError: toastProblem,
    onSettled: () => client.invalidateQueries({ queryKey: jobsQuery().queryKey }),
  })
  const Mark = icons[job.status]
  const title = isKnown(job.kind) ? t(`jobs.kind.${kinds[job.kind]}`) : job.kind
  const facts = [
    job.user ? t('jobs.by', { username: job.user.username }) : t('jobs.byServer'),
    formatDateTime(job.inserted_at),
    job.status === 'scheduled' && t('jobs.again'),
    job.import && t('jobs.imported', { count: job.import.rows, formatted: formatCount(job.import.rows) }),
    job.import &&
      job.import.failed > 0 &&
      t('jobs.leftOut', { count: job.import.failed, formatted: formatCount(job.import.failed) }),
  ].filter((fact): fact is string => typeof fact === 'string')
  const isRunning = job.status === 'started'
  return (
    <li className={styles['job']} data-status={job.status}>
      <span className={styles['status']}>
        <Mark size={14} className={isRunning ? styles['spinner'] : undefined} />
        {t(`jobs.status.${job.status}`)}
      </span>
      <div className={styles['what']}>
        <span className={styles['title']}>
          {title}
          {job.subject !== null && <bdi className={styles['subject']}>{job.subject}</bdi>}
          {job.dataset && (
            <Link to="/dataset/$datasetId/settings" params={{ datasetId: job.dataset.id }}>
              <bdi>{job.dataset.name}</bdi>
            </Link>
          )}
        </span>
        <span className={styles['facts']} title={formatAgo(job.updated_at, Date.now())}>
          {facts.join(' · ')}
        </span>
        {isRunning && job.total !== null && job.total > 0 && (
          <ProgressBar
            label={t('jobs.progress', { title })}
            value={job.done}
            total={job.total}
            text={formatPercent(Math.min(1, job.done / job.total))}
          />
        )}
        {job.reason !== null && job.status !== 'finished' && (
          <span className={styles['reason']}>
            <WithReason of={job}>{(reason) => reason}</WithReason>
          </span>
        )}
      </div>
      {job.cancelable && (
        <Button look="quiet" busy={stop.isPending} aria-label={t('jobs.stopThis', { title })} onClick={() => stop.mutate()}>
          {t('jobs.stop')}
        </Button>
      )}
    </li>
  )
}
