import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, notFound } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useUser } from '#features/auth/public.ts'
import { DeletedDataset } from '#features/deleted-dataset/public.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { blockingError } from '#lib/api/blocking-error.ts'
import { datasetQuery, fieldsQuery, isUnknownDataset, labelColoursQuery, questionsQuery } from '#lib/api/dataset-queries.ts'
import { DatasetCrumbs } from '#lib/shell/DatasetCrumbs.tsx'
import { DatasetTabs } from '#lib/shell/DatasetTabs.tsx'
import { HeaderContent } from '#lib/shell/header-slots.tsx'
import { LabelHuesContext, noLabelHues } from '#question-types/shared/labels/label-hues.ts'
import { Button } from '#ui/controls/Button.tsx'
import { EmptyState } from '#ui/feedback/EmptyState.tsx'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { useDocumentTitle } from '#ui/page/use-document-title.ts'
import { correctionsQuery } from './api.ts'
import { CorrectionCard } from './CorrectionCard.tsx'
import styles from './CorrectionsPage.module.css'

const route = getRouteApi('/inside/dataset/$datasetId/corrections')

/** The user's answers that differ from the final answers. */
export const CorrectionsPage = () => {
  const { datasetId } = route.useParams()
  const { t } = useTranslation('features/review')
  const isLead = useUser().role !== 'annotator'
  const dataset = useQuery(datasetQuery(datasetId))
  const fields = useQuery(fieldsQuery(datasetId))
  const questions = useQuery(questionsQuery(datasetId))
  const corrections = useInfiniteQuery(correctionsQuery(datasetId))
  const { data: hues = noLabelHues } = useQuery(labelColoursQuery(datasetId))
  useDocumentTitle(t('corrections.title'), ...(dataset.data ? [dataset.data.name] : []))
  const error = blockingError(dataset, fields, questions, corrections)
  if (isUnknownDataset(error)) {
    if (!dataset.data) throw notFound()
    return (
      <Suspense fallback={<main id="main" tabIndex={-1} className={styles['page']} aria-busy="true" />}>
        <DeletedDataset datasetId={datasetId} name={dataset.data.name} />
      </Suspense>
    )
  }
  if (error) throw error
  const isLoaded = dataset.data && fields.data && questions.data && corrections.data
  const items = corrections.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <main id="main" tabIndex={-1} className={styles['page']} aria-busy={!isLoaded}>
      <HeaderContent
        crumbs={
          <DatasetCrumbs dataset={dataset.data} page={{ label: t('corrections.title'), to: '/dataset/$datasetId/corrections' }} />
        }
      />
      <DatasetTabs datasetId={datasetId} isLead={isLead} className={styles['tabs']} />
      <h1 className={styles['title']}>{t('corrections.title')}</h1>
      {!isLoaded && <Skeleton height="9lh" />}
      {isLoaded && items.length === 0 && !corrections.hasNextPage && (
        <EmptyState
          title={t('corrections.none')}
          hint={t('corrections.noneHint')}
          action={
            <Link to="/dataset/$datasetId/annotation-mode" params={{ datasetId }}>
              {t('toAnnotation')}
            </Link>
          }
        />
      )}
      {isLoaded && items.length > 0 && (
        <LabelHuesContext value={hues}>
          <p className={styles['hint']}>{t('corrections.hint')}</p>
          <ul className={styles['list']}>
            {items.map((correction) => (
              <li key={correction.record.id}>
                <CorrectionCard correction={correction} fields={fields.data} questions={questions.data} />
              </li>
            ))}
          </ul>
        </LabelHuesContext>
      )}
      {corrections.hasNextPage && (
        <Button busy={corrections.isFetchingNextPage} onClick={() => void corrections.fetchNextPage()}>
          {t('corrections.more')}
        </Button>
      )}
    </main>
  )
}
