import type { ResponseMetrics } from '@postil/contract/progress.ts'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { settingsQuery } from '#features/auth/public.ts'
import { formatCount } from '#i18n/format.ts'
import { progressShare, useProgressText } from '#i18n/use-progress-text.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { shareMinimum } from '#lib/constants.ts'
import { useOutbox } from '#lib/outbox/use-outbox.ts'
import { lazyPart } from '#ui/loading/lazy-part.ts'
import { ProgressBar } from '#ui/loading/ProgressBar.tsx'
import type { Status } from '#ui/marks/StatusBadge.tsx'
import { StatusBadge } from '#ui/marks/StatusBadge.tsx'
import type { Annotator } from '../answering/annotator.ts'
import { metricsQuery, progressQuery } from '../api.ts'
import { OwnTime } from './OwnTime.tsx'
import styles from './Progress.module.css'

/** Loaded on demand, because few servers enable it. */
const ShareProgress = lazyPart(() => import('./ShareProgress.tsx').then((module) => ({ default: module.ShareProgress })))

const ownStatuses = ['pending', 'draft', 'discarded', 'submitted'] as const satisfies readonly Status[]

/** The pending count is the number of records in the caller's queue. It excludes records that others have completed. */
const countFor = (metrics: ResponseMetrics, status: (typeof ownStatuses)[number]): number =>
  status === 'pending' ? metrics.left : metrics[status]

export const Progress = ({ datasetId, annotator }: { readonly datasetId: string; readonly annotator: Annotator }) => {
  const { t } = useTranslation('features/annotate')
  const { data: metrics, dataUpdatedAt } = useQuery(metricsQuery(datasetId))
  const { data: progress } = useQuery(progressQuery(datasetId))
  const { data: settings } = useQuery(settingsQuery())
  useOutbox()
  const shift = annotator.shiftSince(dataUpdatedAt)
  const printProgress = useProgressText()
  const counts = progress ?? { total: 0, completed: 0 }
  const share = counts.total === 0 ? 0 : counts.completed / counts.total
  const surplus = progress?.surplus ?? 0
  const of = t('progress.share', { progress: printProgress(counts) })
  const more = t('progress.surplus', { count: surplus, formatted: formatCount(surplus) })
  const submitted = (metrics?.submitted ?? 0) + shift.submitted
  const isShared = settings?.argilla.share_your_progress_enabled === true && submitted >= shareMinimum
  return (
    <section className={styles['progress']} aria-label={t('progress.name')}>
      <div className={styles['top']}>
        <dl className={styles['mine']} aria-label={t('progress.mine')}>
          {ownStatuses.map((status) => (
            <div key={status} className={styles['one']}>
              <dt>
                <StatusBadge status={status} />
              </dt>
              <dd className={styles['count']}>
                {metrics ? formatCount(Math.max(0, countFor(metrics, status) + shift[status])) : '–'}
              </dd>
            </div>
          ))}
        </dl>
        {isShared && (
          <Suspense>
            <ShareProgress datasetId={datasetId} submitted={submitted} share={share} />
          </Suspense>
        )}
        <OwnTime datasetId={datasetId} />
      </div>
      <ProgressBar
        className={styles['team']}
        label={t('progress.team')}
        {...progressShare(counts)}
        text={progress ? [of, ...(surplus > 0 ? [more] : [])].join(' · ') : '–'}
      />
    </section>
  )
}
