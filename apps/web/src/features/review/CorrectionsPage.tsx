import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useUser } from '#features/auth/public.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { DatasetCrumbs } from '#lib/shell/DatasetCrumbs.tsx'
import { DatasetTabs } from '#lib/shell/DatasetTabs.tsx'
import { HeaderContent } from '#lib/shell/header-slots.tsx'
import { LabelHuesContext } from '#question-types/shared/labels/label-hues.ts'
import { Button } from '#ui/controls/Button.tsx'
import { EmptyState } from '#ui/feedback/EmptyState.tsx'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { correctionsQuery } from './api.ts'
import { CorrectionCard } from './CorrectionCard.tsx'
import styles from './CorrectionsPage.module.css'
import { useReviewedDataset } from './use-reviewed-dataset.tsx'

const route = getRouteApi('/inside/dataset/$datasetId/corrections')

/** The user's answers that differ from the final answers. */
export const CorrectionsPage = (): ReactNode => {
  const { datasetId } = route.useParams()
  const { t } = useTranslation('features/review')
  const isLead = useUser().role !== 'annotator'
  const corrections = useInfiniteQuery(correctionsQuery(datasetId))
  const { dataset, fields, questions, hues, gone } = useReviewedDataset(datasetId, {
    title: t('corrections.title'),
    className: styles['page'],
    more: corrections,
  })
  if (gone) return gone
  const isLoaded = dataset && fields && questions && corrections.data
  const items = corrections.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <main id="main" tabIndex={-1} className={styles['page']} aria-busy={!isLoaded}>
      <HeaderContent
        crumbs={
          <DatasetCrumbs dataset={dataset} page={{ label: t('corrections.title'), to: '/dataset/$datasetId/corrections' }} />
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
                <CorrectionCard correction={correction} fields={fields} questions={questions} />
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
