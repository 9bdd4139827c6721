import type { PrintedReviewSettings } from '@postil/contract/review.ts'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useUser } from '#features/auth/public.ts'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { useOnline } from '#lib/net/connection.ts'
import { Button } from '#ui/controls/Button.tsx'
import { EmptyState } from '#ui/feedback/EmptyState.tsx'
import { ProblemText } from '#ui/feedback/ProblemNotice.tsx'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import styles from './ReviewPage.module.css'
import type { ReviewList, ReviewListSnapshot } from './review-list.ts'

type Props = {
  readonly datasetId: string
  readonly settings: PrintedReviewSettings
  readonly queue: ReviewListSnapshot
  readonly list: ReviewList
  /** Returns to the last record. */
  readonly onBack: () => void
}

/** Shown if no record is left to review: the reason and the next step. */
export const QueueEnd = (props: Props) => {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The focused element disappeared with the last record.
    if (document.activeElement === document.body) document.getElementById('main')?.focus()
  }, [])
  return (
    <div ref={element} className={styles['note']} aria-busy={props.queue.phase === 'loading'}>
      <Content {...props} />
    </div>
  )
}

const Content = ({ datasetId, settings, queue, list, onBack }: Props) => {
  const { t } = useTranslation('features/review')
  const isLead = useUser().role !== 'annotator'
  const isOnline = useOnline()
  const { phase, problem, upcoming, skipped } = queue
  if (phase === 'loading' || upcoming.length > 0) return <Skeleton height="9lh" />
  const back = list.before(null) !== null && <Button onClick={onBack}>{t('back')}</Button>
  const retry = <Button onClick={() => void list.refill()}>{t('retry')}</Button>
  if (phase === 'failed') {
    const isUnreachable = !isOnline || (problem instanceof ApiError && problem.status === 0)
    if (isUnreachable) return <EmptyState title={t('offline')} hint={t('offlineHint')} action={retry} />
    return <EmptyState title={t('failed')} hint={<ProblemText error={problem} />} action={retry} />
  }
  if (skipped > 0)
    return (
      <EmptyState
        title={t('skipped', { count: skipped, shown: formatCount(skipped) })}
        action={
          <div className={styles['links']}>
            {back}
            <Button onClick={() => void list.restart()}>{t('reviewSkipped')}</Button>
          </div>
        }
      />
    )
  const params = { datasetId }
  const mode = settings.mode === 'off' ? 'all' : settings.mode
  return (
    <EmptyState
      title={t('empty.title')}
      hint={settings.own_answers ? t(`empty.${mode}`) : `${t(`empty.${mode}`)} ${t('empty.own')}`}
      action={
        <div className={styles['links']}>
          {back}
          {retry}
          {isLead && (
            <>
              <Link to="/dataset/$datasetId/records" params={params} search={{ review: 'final' }} className="standing">
                {t('toFinal')}
              </Link>
              <Link to="/dataset/$datasetId/settings" params={params} search={{ tab: 'review' }} className="standing">
                {t('toSettings')}
              </Link>
            </>
          )}
        </div>
      }
    />
  )
}
