import type { JobStatus, ListedJob } from '@postil/contract/jobs.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatPercent } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { isRunning, stopJob } from '#lib/jobs.ts'
import { Button } from '#ui/controls/Button.tsx'
import { announce } from '#ui/feedback/announcer.ts'
import { ProgressBar } from '#ui/loading/ProgressBar.tsx'
import { Spinner } from '#ui/loading/Spinner.tsx'
import type { Icon } from '#ui/marks/first-icons.tsx'
import { DangerIcon } from '#ui/marks/first-icons.tsx'
import { CheckIcon, DiscardedIcon, PendingIcon } from '#ui/marks/icons.tsx'
import { FailureReason } from './FailureReason.tsx'
import styles from './JobParts.module.css'

/** Job kinds that have messages. Other kinds are shown by name. */
const kinds = {
  'imports.file': 'importFile',
  'hub.import': 'importHub',
  'hub.export': 'exportHub',
  'responses.bulk': 'answers',
  'assignments.change': 'assignments',
  'records.delete': 'deletion',
  'responses.return': 'returns',
  'gold.fill': 'gold',
  'gold.model': 'gold',
  'schema.relabel': 'labels',
  'tests.rescore': 'testScores',
  'models.run': 'modelRun',
  'models.publish': 'modelPublish',
  'dataset.purge': 'purge',
  'dataset.remove-files': 'purgeFiles',
  'dataset.sweep-files': 'sweepFiles',
  'dataset.rebuild': 'rebuild',
  'dataset.recompute-statuses': 'statuses',
  'text.rebuild': 'textIndex',
  'agreement.fill': 'agreement',
  'property.backfill': 'property',
  'schema.drop-rows': 'dropProperty',
  'user.remove-responses': 'userResponses',
} as const
const isKnown = (kind: string): kind is keyof typeof kinds => Object.hasOwn(kinds, kind)

export const useJobTexts = ({ kind, status }: ListedJob): { readonly title: string; readonly state: string } => {
  const { t } = useTranslation('features/jobs')
  return { title: isKnown(kind) ? t(`kind.${kinds[kind]}`) : kind, state: t(`status.${status}`) }
}

const icons: { readonly [S in JobStatus]: Icon } = {
  queued: PendingIcon,
  scheduled: PendingIcon,
  deferred: PendingIcon,
  started: Spinner,
  finished: CheckIcon,
  failed: DangerIcon,
  stopped: DiscardedIcon,
  canceled: DiscardedIcon,
}

export const JobMark = ({ status, className }: { readonly status: JobStatus; readonly className?: string | undefined }) => {
  const Mark = icons[status]
  return <Mark size={14} className={className} />
}

type JobTitleProps = { readonly job: ListedJob; readonly title: string; readonly children: ReactNode }

/**
 * A job's subject, followed by the job's progress and the reason for a failure.
 * @param title the job's name in the label of the progress bar
 */
export const JobTitle = ({ job, title, children }: JobTitleProps) => {
  const { t } = useTranslation('features/jobs')
  const { done, total } = job
  return (
    <div className={styles['what']}>
      {children}
      {isRunning(job) && total !== null && total > 0 && (
        <ProgressBar
          label={t('progress', { title })}
          value={done}
          total={total}
          text={formatPercent(Math.min(1, done / total))}
        />
      )}
      {job.reason !== null && job.status !== 'finished' && (
        <span className={styles['reason']}>
          <FailureReason of={job}>{(reason) => reason}</FailureReason>
        </span>
      )}
    </div>
  )
}

type StopProps = { readonly job: ListedJob; readonly title: string; readonly list: readonly string[] }

/** A button that stops a job, or nothing if the job can't be stopped. @param list key of the query that contains the job */
export const StopJob = ({ job, title, list }: StopProps) => {
  const { t } = useTranslation('features/jobs')
  const client = useQueryClient()
  const stop = useMutation({
    mutationFn: () => stopJob(job.id),
    onSuccess: () => announce(t('isStopped')),
    onSettled: () => client.invalidateQueries({ queryKey: list }),
  })
  if (!job.cancelable) return null
  return (
    <Button look="quiet" busy={stop.isPending} aria-label={t('stopThis', { title })} onClick={() => stop.mutate()}>
      {t('stop')}
    </Button>
  )
}
