import type { JobStatus, ListedJob } from '@postil/contract/jobs.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatPercent } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { isRunning, stopJob } from '#lib/jobs.ts'
import { Button } from '#ui/controls/Button.tsx'
import type { Icon } from '#ui/marks/first-icons.tsx'
import { DangerIcon } from '#ui/marks/first-icons.tsx'
import { CheckIcon, DiscardedIcon, PendingIcon } from '#ui/marks/icons.tsx'
import { announce } from '#ui/telling/announcer.ts'
import { ProgressBar } from '#ui/waiting/ProgressBar.tsx'
import { Spinner } from '#ui/waiting/Spinner.tsx'
import styles from './JobParts.module.css'
import { WithReason } from './WithReason.tsx'

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

/** What people call a kind of job, and the state that one is in. */
export const useJobWords = ({ kind, status }: ListedJob): { readonly title: string; readonly state: string } => {
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

type WhatProps = { readonly job: ListedJob; readonly title: string; readonly children: ReactNode }

/** What a job is about, as the list that it stands in says it, then how far it came and why it did not go on. */
export const JobWhat = ({ job, title, children }: WhatProps) => {
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
          <WithReason of={job}>{(reason) => reason}</WithReason>
        </span>
      )}
    </div>
  )
}

type StopProps = { readonly job: ListedJob; readonly title: string; readonly list: readonly string[] }

/** Stops a job that may be stopped. @param list key of the query that has the job */
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
