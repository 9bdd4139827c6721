import type { Import } from '@postil/contract/files/imports.ts'
import type { Job } from '@postil/contract/jobs.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { FailureReason } from '#features/jobs/public.ts'
import { formatAgo, formatCount, formatDateTime, formatProgress } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { isRunning, stopJob } from '#lib/jobs.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Notice } from '#ui/feedback/Notice.tsx'
import { ProgressBar } from '#ui/loading/ProgressBar.tsx'
import type { Icon } from '#ui/marks/first-icons.tsx'
import { DangerIcon } from '#ui/marks/first-icons.tsx'
import { CompletedIcon, DiscardedIcon, PendingIcon } from '#ui/marks/icons.tsx'
import { importsQuery, reportHref } from '../../api.ts'
import styles from './ImportState.module.css'

const noCounts: NonNullable<Job['import']> = { rows: 0, created: 0, updated: 0, failed: 0 }
const icons: { readonly [S in Job['status']]: Icon } = {
  queued: PendingIcon,
  scheduled: PendingIcon,
  deferred: PendingIcon,
  started: PendingIcon,
  finished: CompletedIcon,
  failed: DangerIcon,
  stopped: DiscardedIcon,
  canceled: DiscardedIcon,
}

/** An import: its progress or its result. */
export const ImportState = ({
  datasetId,
  item: { file, job, inserted_at },
}: {
  readonly datasetId: string
  readonly item: Import
}) => {
  const { t } = useTranslation('features/create')
  const client = useQueryClient()
  const stop = useMutation({
    mutationFn: () => stopJob(job.id),
    onSettled: () => client.invalidateQueries({ queryKey: importsQuery(datasetId).queryKey }),
  })
  const name = useRef<HTMLHeadingElement>(null)
  const isImporting = isRunning(job)
  const isStopped = stop.isSuccess && !isImporting
  useEffect(() => {
    // The pressed button is gone.
    if (isStopped && document.activeElement === document.body) name.current?.focus()
  }, [isStopped])
  const { rows, created, updated, failed, answers, later_columns: later = [] } = job.import ?? noCounts
  const unanswered = (answers?.invalid ?? 0) + (answers?.left_out ?? 0)
  const { done = 0, total } = job
  const share = total ? Math.min(1, done / total) : 0
  const Mark = icons[job.status]
  const words = [
    t('imports.created', { count: created, formatted: formatCount(created) }),
    ...(updated > 0 ? [t('imports.updated', { count: updated, formatted: formatCount(updated) })] : []),
    ...(answers && answers.stored > 0
      ? [t('imports.answers', { count: answers.stored, formatted: formatCount(answers.stored) })]
      : []),
    ...(answers && answers.kept > 0 ? [t('imports.kept', { count: answers.kept, formatted: formatCount(answers.kept) })] : []),
    ...(answers && unanswered > 0 ? [t('imports.unanswered', { count: unanswered, formatted: formatCount(unanswered) })] : []),
    ...(failed > 0 ? [t('imports.failed', { count: failed, formatted: formatCount(failed) })] : []),
  ]
  return (
    <li className={styles['import']} data-status={job.status}>
      <div className={styles['head']}>
        <Mark className={styles['mark']} />
        <h3 ref={name} tabIndex={-1} className={styles['name']}>
          <bdi>{file.name}</bdi>
        </h3>
        <time className={styles['when']} title={formatDateTime(inserted_at)}>
          {formatAgo(inserted_at, Date.now())}
        </time>
      </div>
      {isImporting ? (
        <div className={styles['running']}>
          <ProgressBar
            className={styles['progress']}
            label={t('imports.progress', { name: file.name })}
            value={done}
            total={total ?? 0}
            text={t('imports.rows', { count: rows, formatted: formatCount(rows), share: formatProgress(share) })}
          />
          <Button busy={stop.isPending} onClick={() => stop.mutate()}>
            {t('cancel')}
          </Button>
        </div>
      ) : (
        <p role="status" className={styles['state']}>
          {t(`imports.status.${job.status}`)} {words.join(', ')}.
        </p>
      )}
      {job.status === 'failed' && job.reason && (
        <FailureReason of={job}>{(reason) => <Notice kind="danger">{reason}</Notice>}</FailureReason>
      )}
      {later.length > 0 && (
        <Notice kind="warning">{t('imports.laterColumns', { count: later.length, columns: later.join(', ') })}</Notice>
      )}
      {failed + unanswered + (answers?.kept ?? 0) > 0 && (
        <p className={styles['report']}>
          {t('imports.report')}{' '}
          <a href={reportHref(datasetId, file.id, 'csv')} className="standing">
            CSV
          </a>
          <a href={reportHref(datasetId, file.id, 'jsonl')} className="standing">
            JSON Lines
          </a>
        </p>
      )}
    </li>
  )
}
