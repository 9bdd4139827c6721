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

type Counts = NonNullable<Job['import']>

/** The numbers in the result of an import, in the order in which they are shown. */
const outcomeCounts = ['created', 'updated', 'answers', 'kept', 'unanswered', 'comments', 'uncommented', 'failed'] as const

const noAnswers = { stored: 0, kept: 0, invalid: 0, left_out: 0 }

const outcomeOf = ({ created, updated, failed, answers = { ...noAnswers, unmapped: 0 }, comments = noAnswers }: Counts) => ({
  created,
  updated,
  failed,
  answers: answers.stored,
  kept: answers.kept,
  unanswered: answers.invalid + answers.left_out,
  comments: comments.stored,
  uncommented: comments.invalid + comments.left_out,
  /** Rows, answers and comments that are in the report. */
  reported: failed + answers.invalid + answers.left_out + answers.kept + comments.invalid,
})

/** The people whom the mapping of an import didn't name, because they appear late in the file. */
const LateAnnotators = ({ answers }: Pick<Counts, 'answers'>) => {
  const { t } = useTranslation('features/create')
  const people = answers?.unmapped_annotators ?? []
  if (people.length === 0) return null
  const named = people.map(({ name, annotations, comments = 0 }) => {
    const shown = name === '' ? t('annotators.unnamed') : name
    return `${shown} (${formatCount(annotations || comments)})`
  })
  return <Notice kind="warning">{t('imports.lateAnnotators', { count: people.length, people: named.join(', ') })}</Notice>
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
    // The pressed button is gone, so the focus moves to the heading.
    if (isStopped && document.activeElement === document.body) name.current?.focus()
  }, [isStopped])
  const { rows, later_columns: later = [] } = job.import ?? noCounts
  const counted = outcomeOf(job.import ?? noCounts)
  const { done = 0, total } = job
  const share = total ? Math.min(1, done / total) : 0
  const Mark = icons[job.status]
  const words = outcomeCounts
    .filter((name) => name === 'created' || counted[name] > 0)
    .map((name) => t(`imports.${name}`, { count: counted[name], formatted: formatCount(counted[name]) }))
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
      {!isImporting && <LateAnnotators {...job.import} />}
      {counted.reported > 0 && (
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
