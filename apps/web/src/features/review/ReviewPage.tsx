import type { PrintedReviewSettings } from '@postil/contract/review.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, notFound } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useUser } from '#features/auth/public.ts'
import { DeletedDataset } from '#features/deleted-dataset/public.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { blockingError } from '#lib/api/blocking-error.ts'
import { datasetQuery, fieldsQuery, isUnknownDataset, labelColoursQuery, questionsQuery } from '#lib/api/dataset-queries.ts'
import { reviewSettingsQuery } from '#lib/api/review-queries.ts'
import { DatasetCrumbs } from '#lib/shell/DatasetCrumbs.tsx'
import { DatasetTabs } from '#lib/shell/DatasetTabs.tsx'
import { HeaderContent } from '#lib/shell/header-slots.tsx'
import { LabelHuesContext, noLabelHues } from '#question-types/shared/labels/label-hues.ts'
import { Button } from '#ui/controls/Button.tsx'
import { EmptyState } from '#ui/feedback/EmptyState.tsx'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { useDocumentTitle } from '#ui/page/use-document-title.ts'
import { setReviewSettings } from './api.ts'
import styles from './ReviewPage.module.css'
import { ReviewScreen } from './ReviewScreen.tsx'

const route = getRouteApi('/inside/dataset/$datasetId/review')

/** The page on which reviewers settle the records whose answers differ. */
export const ReviewPage = () => {
  const { datasetId } = route.useParams()
  const { t } = useTranslation('features/review')
  const isLead = useUser().role !== 'annotator'
  const dataset = useQuery(datasetQuery(datasetId))
  const fields = useQuery(fieldsQuery(datasetId))
  const questions = useQuery(questionsQuery(datasetId))
  const settings = useQuery(reviewSettingsQuery(datasetId))
  const { data: hues = noLabelHues } = useQuery(labelColoursQuery(datasetId))
  useDocumentTitle(t('title'), ...(dataset.data ? [dataset.data.name] : []))
  const error = blockingError(dataset, fields, questions, settings)
  if (isUnknownDataset(error)) {
    if (!dataset.data) throw notFound()
    return (
      <Suspense fallback={<main id="main" tabIndex={-1} className={styles['page']} aria-busy="true" />}>
        <DeletedDataset datasetId={datasetId} name={dataset.data.name} />
      </Suspense>
    )
  }
  if (error) throw error
  const isLoaded = dataset.data && fields.data && questions.data && settings.data
  return (
    <main id="main" tabIndex={-1} className={styles['page']} aria-busy={!isLoaded}>
      <HeaderContent
        crumbs={<DatasetCrumbs dataset={dataset.data} page={{ label: t('title'), to: '/dataset/$datasetId/review' }} />}
      />
      <DatasetTabs datasetId={datasetId} isLead={isLead} />
      <h1 className="visually-hidden">{t('title')}</h1>
      {isLoaded ? (
        <LabelHuesContext value={hues}>
          {settings.data.can_review && settings.data.mode !== 'off' ? (
            <ReviewScreen
              key={datasetId}
              dataset={dataset.data}
              fields={fields.data}
              questions={questions.data}
              settings={settings.data}
            />
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

/** Says why there is nothing to review. Leads can turn the review on. */
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
