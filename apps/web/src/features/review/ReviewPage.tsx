import type { PrintedReviewSettings } from '@postil/contract/review.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useUser } from '#features/auth/public.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { reviewSettingsQuery } from '#lib/api/review-queries.ts'
import { DatasetCrumbs } from '#lib/shell/DatasetCrumbs.tsx'
import { DatasetTabs } from '#lib/shell/DatasetTabs.tsx'
import { HeaderContent } from '#lib/shell/header-slots.tsx'
import { LabelHuesContext } from '#question-types/shared/labels/label-hues.ts'
import { Button } from '#ui/controls/Button.tsx'
import { EmptyState } from '#ui/feedback/EmptyState.tsx'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { setReviewSettings } from './api.ts'
import styles from './ReviewPage.module.css'
import { ReviewScreen } from './ReviewScreen.tsx'
import { useReviewedDataset } from './use-reviewed-dataset.tsx'

const route = getRouteApi('/inside/dataset/$datasetId/review')

/** The page on which reviewers choose the final answers of records whose answers differ. */
export const ReviewPage = (): ReactNode => {
  const { datasetId } = route.useParams()
  const { t } = useTranslation('features/review')
  const isLead = useUser().role !== 'annotator'
  const settings = useQuery(reviewSettingsQuery(datasetId))
  const { dataset, fields, questions, hues, gone } = useReviewedDataset(datasetId, {
    title: t('title'),
    className: styles['page'],
    more: settings,
  })
  if (gone) return gone
  const isLoaded = dataset && fields && questions && settings.data
  return (
    <main id="main" tabIndex={-1} className={styles['page']} aria-busy={!isLoaded}>
      <HeaderContent
        crumbs={<DatasetCrumbs dataset={dataset} page={{ label: t('title'), to: '/dataset/$datasetId/review' }} />}
      />
      <DatasetTabs datasetId={datasetId} isLead={isLead} />
      <h1 className="visually-hidden">{t('title')}</h1>
      {isLoaded ? (
        <LabelHuesContext value={hues}>
          {settings.data.can_review && settings.data.mode !== 'off' ? (
            <ReviewScreen key={datasetId} dataset={dataset} fields={fields} questions={questions} settings={settings.data} />
          ) : (
            <Unavailable datasetId={datasetId} settings={settings.data} isLead={isLead} />
          )}
        </LabelHuesContext>
      ) : (
        <div className={styles['note']}>
          <Skeleton height="9lh" />
        </div>
      )}
    </main>
  )
}

type UnavailableProps = { readonly datasetId: string; readonly settings: PrintedReviewSettings; readonly isLead: boolean }

/** Says why there is nothing to review. Lets leads turn on review. */
const Unavailable = ({ datasetId, settings, isLead }: UnavailableProps) => {
  const { t } = useTranslation('features/review')
  const client = useQueryClient()
  const turnOn = useMutation({
    mutationFn: () =>
      setReviewSettings(datasetId, {
        ...settings,
        mode: 'disagreements',
        reviewers: settings.reviewers.map(({ id }) => id),
      }),
    onSuccess: (stored) => client.setQueryData(reviewSettingsQuery(datasetId).queryKey, stored),
  })
  const params = { datasetId }
  const toAnnotation = (
    <Link to="/dataset/$datasetId/annotation-mode" params={params}>
      {t('toAnnotation')}
    </Link>
  )
  return (
    <div className={styles['note']}>
      {!settings.can_review && <EmptyState title={t('denied')} hint={t('deniedHint')} action={toAnnotation} />}
      {settings.can_review && !isLead && <EmptyState title={t('off.title')} hint={t('off.askLead')} action={toAnnotation} />}
      {settings.can_review && isLead && (
        <EmptyState
          title={t('off.title')}
          hint={t('off.hint')}
          action={
            <div className={styles['links']}>
              <Button look="primary" busy={turnOn.isPending} onClick={() => turnOn.mutate()}>
                {t('off.turnOn')}
              </Button>
              <Link to="/dataset/$datasetId/settings" params={params} search={{ tab: 'review' }} className="standing">
                {t('toSettings')}
              </Link>
            </div>
          }
        />
      )}
    </div>
  )
}
