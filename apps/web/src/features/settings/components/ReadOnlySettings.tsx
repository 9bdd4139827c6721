import type { Dataset } from '@postil/contract/datasets.ts'
import { Suspense } from 'react'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { lazyPart } from '#ui/loading/lazy-part.ts'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import styles from './SettingsPage.module.css'

const Markdown = lazyPart(() => import('#lib/markdown/Markdown.tsx').then((module) => ({ default: module.Markdown })))

/** The dataset settings that annotators can see. */
export const ReadOnlySettings = ({ dataset }: { readonly dataset: Dataset }) => {
  const { t } = useTranslation('features/settings')
  return (
    <>
      <dl className={styles['facts']}>
        <dt>{t('general.name')}</dt>
        <dd>
          <bdi>{dataset.name}</bdi>
        </dd>
        <dt>{t('general.minSubmitted')}</dt>
        <dd>{formatCount(dataset.distribution.min_submitted)}</dd>
      </dl>
      <section aria-labelledby="guidelines" className={styles['read']}>
        <h2 id="guidelines" className={styles['sectionTitle']}>
          {t('general.guidelines')}
        </h2>
        {dataset.guidelines ? (
          <Suspense fallback={<Skeleton height="4lh" />}>
            <Markdown text={dataset.guidelines} />
          </Suspense>
        ) : (
          <p className={styles['none']}>{t('general.noGuidelines')}</p>
        )}
      </section>
    </>
  )
}
