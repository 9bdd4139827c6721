import type { OwnAssignments } from '@postil/contract/assignments.ts'
import { Link } from '@tanstack/react-router'
import { useUser } from '#features/auth/public.ts'
import { formatAgo, formatCount, formatDateTime } from '#i18n/format.ts'
import { formatDay } from '#i18n/format-day.ts'
import { progressShare, useProgressText } from '#i18n/use-progress-text.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { dueDay } from '#lib/due-date.ts'
import { ProgressBar } from '#ui/loading/ProgressBar.tsx'
import { SuitcaseIcon } from '#ui/marks/icons.tsx'
import { Pill } from '#ui/marks/Pill.tsx'
import { classNames } from '#ui/styles/class-names.ts'
import type { Row } from '../dataset-list.ts'
import { AnsweredBy } from './AnsweredBy.tsx'
import styles from './DatasetRow.module.css'
import { PartTypes } from './PartTypes.tsx'

type Props = {
  readonly row: Row
  /** Number of the dataset's records on this device. */
  readonly onDevice: number
  /** The user's assignments in the dataset; null if there are none. */
  readonly assigned: OwnAssignments | null
}

export const DatasetRow = ({ row, onDevice, assigned }: Props) => {
  const { t } = useTranslation('features/home')
  const canCreate = useUser().role !== 'annotator'
  const { dataset, workspace, progress, metrics } = row
  const { total } = progress
  const printProgress = useProgressText()
  return (
    <li className={styles['row']}>
      <div className={styles['name']}>
        <Link
          // A draft has no records yet, so the link opens its creation form for users who may create datasets.
          to={dataset.status === 'draft' && canCreate ? '/new/{-$datasetId}' : '/dataset/$datasetId/annotation-mode'}
          params={{ datasetId: dataset.id }}
          className={styles['link']}
        >
          <bdi>{dataset.name}</bdi>
        </Link>
        {dataset.status === 'draft' && <Pill>{t('notPublished')}</Pill>}
        {assigned !== null && assigned.remaining > 0 && <Assigned assigned={assigned} />}
        {onDevice > 0 && (
          <span className={styles['here']}>
            <SuitcaseIcon size={14} />
            {t('onDevice', { count: onDevice, number: formatCount(onDevice) })}
          </span>
        )}
      </div>
      <p className={classNames(styles['about'], styles['where'])}>
        <bdi>{workspace}</bdi> ·{' '}
        <time title={formatDateTime(dataset.last_activity_at)}>{formatAgo(dataset.last_activity_at, Date.now())}</time>
      </p>
      <div className={styles['mine']}>
        <RemainingRecords left={metrics.left} drafts={metrics.draft} hasRecords={total > 0} />
        <p className={styles['about']}>
          {metrics.submitted > 0 && (
            <span>{t('submitted', { count: metrics.submitted, number: formatCount(metrics.submitted) })}</span>
          )}
          {metrics.left > 0 && metrics.draft > 0 && (
            <span>{t('drafts', { count: metrics.draft, number: formatCount(metrics.draft) })}</span>
          )}
        </p>
      </div>
      <ProgressBar
        className={styles['team']}
        label={t('teamProgress', { dataset: dataset.name })}
        {...progressShare(progress)}
        text={total === 0 ? t('noRecords') : printProgress(progress)}
      />
      <div className={styles['more']}>
        <PartTypes fields={row.field_types} questions={row.question_types} className={styles['types']} />
        <AnsweredBy people={row.answered_by} className={styles['people']} />
      </div>
    </li>
  )
}

const Assigned = ({ assigned: { remaining, overdue, due_at } }: { readonly assigned: OwnAssignments }) => {
  const { t } = useTranslation('features/home')
  const texts = [
    t('assigned.left', { count: remaining, number: formatCount(remaining) }),
    ...(due_at === null ? [] : [t('assigned.due', { day: formatDay(dueDay(due_at)) })]),
  ]
  return (
    <span className={styles['here']}>
      {texts.join(' · ')}
      {overdue > 0 && (
        <strong className={styles['overdue']}>{t('assigned.overdue', { count: overdue, number: formatCount(overdue) })}</strong>
      )}
    </span>
  )
}

type RemainingProps = { readonly left: number; readonly drafts: number; readonly hasRecords: boolean }

/** What the user can do next in a dataset: the remaining records first, then their own drafts. */
const RemainingRecords = ({ left, drafts, hasRecords }: RemainingProps) => {
  const { t } = useTranslation('features/home')
  if (left > 0) return <p className={styles['left']}>{t('left', { count: left, number: formatCount(left) })}</p>
  if (drafts > 0) return <p className={styles['left']}>{t('drafts', { count: drafts, number: formatCount(drafts) })}</p>
  return <p className={styles['done']}>{hasRecords ? t('allDone') : ''}</p>
}
