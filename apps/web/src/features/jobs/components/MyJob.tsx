import type { JobStatus, ListedJob } from '@postil/contract/jobs.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { formatAgo, formatDateTime, formatPercent } from '#i18n/format.ts'
import { Button } from '#ui/Button.tsx'
import type { Icon } from '#ui/icons.tsx'
import { CheckIcon, DangerIcon, DiscardedIcon, PendingIcon, SpinnerIcon } from '#ui/icons.tsx'
import { ProgressBar } from '#ui/ProgressBar.tsx'
import { toastProblem } from '#ui/toast.ts'
import { isRunning, myJobsQuery, stopJob } from '../api.ts'
import styles from './MyJob.module.css'
import { WithReason } from './WithReason.tsx'

/** Kinds of jobs that people start; another one is shown by its name. */
const kinds = {
  'imports.file': 'importFile',
  'hub.import': 'importHub',
  'hub.export': 'exportHub',
  'responses.bulk': 'answers',
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

/** One job of the caller: what it is about, how far it came, and why it did not go on. */
export const MyJob = ({ job }: { readonly job: ListedJob }) => {
  const { t } = useTranslation('features/jobs')
  const client = useQueryClient()
  const stop = useMutation({
    mutationFn: () => stopJob(job.id),
    onError: toastProblem,
    onSettled: () => client.invalidateQueries({ queryKey: myJobsQuery().queryKey }),
  })
  const Mark = icons[job.status]
  const title = isKnown(job.kind) ? t(`kind.${kinds[job.kind]}`) : job.kind
  const share = job.total ? Math.min(1, job.done / job.total) : 0
  return (
    <li className={styles['job']} data-status={job.status}>
      <Mark size={14} className={styles['mark']} />
      <div className={styles['what']}>
        <span className={styles['title']}>{title}</span>
        {job.subject !== null && <bdi>{job.subject}</bdi>}
        {job.dataset && (
          <Link to="/dataset/$datasetId/annotation-mode" params={{ datasetId: job.dataset.id }}>
            <bdi>{job.dataset.name}</bdi>
          </Link>
        )}
        <span className={styles['state']} title={formatDateTime(job.updated_at)}>
          {t(`status.${job.status}`)} · {formatAgo(job.updated_at, Date.now())}
        </span>
        {isRunning(job) && job.total !== null && job.total > 0 && (
          <ProgressBar label={t('progress', { title })} value={job.done} total={job.total} text={formatPercent(share)} />
        )}
        {job.reason !== null && job.status !== 'finished' && (
          <span className={styles['reason']}>
            <WithReason of={job}>{(reason) => reason}</WithReason>
          </span>
        )}
      </div>
      {isRunning(job) && job.cancelable && (
        <Button look="quiet" busy={stop.isPending} aria-label={t('stopThis', { title })} onClick={() => stop.mutate()}>
          {t('stop')}
        </Button>
      )}
    </li>
  )
}
