import type { AnnotationQuery } from '@postil/contract/annotation-query/grammar.ts'
import type { Question } from '@postil/contract/questions.ts'
import { Suspense, useEffect, useRef } from 'react'
import { loadViewsPanel } from '#features/saved-views/public.ts'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import type { QueryChange } from '#lib/url/query-change.ts'
import { Button } from '#ui/controls/Button.tsx'
import { lazyPart } from '#ui/loading/lazy-part.ts'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { FilterIcon, SortIcon, ViewsIcon } from '#ui/marks/icons.tsx'
import { Popover } from '#ui/overlays/Popover.tsx'
import { activeFilters, filtersOf, noFilters } from '../filters.ts'
import styles from './FilterBar.module.css'
import { useDebouncedChange } from './use-debounced-change.ts'

const loadFilters = () => import('./FilterPanel.tsx')
const loadSort = () => import('./SortPanel.tsx')
/**
 * The panels are prefetched this many milliseconds after the screen appears. They are prefetched because they must be available
 * offline.
 */
const preloadDelay = 2000
const FilterPanel = lazyPart(() => loadFilters().then((module) => ({ default: module.FilterPanel })), { reportsFailure: true })
const SortPanel = lazyPart(() => loadSort().then((module) => ({ default: module.SortPanel })), { reportsFailure: true })
const ViewsPanel = lazyPart(() => loadViewsPanel().then((panel) => ({ default: panel })), { reportsFailure: true })

type Props = {
  readonly datasetId: string
  readonly questions: readonly Question[]
  readonly query: AnnotationQuery
  readonly onQuery: (change: QueryChange) => void
}

const Count = ({ count }: { readonly count: number }) =>
  count > 0 ? <span className={styles['count']}>{formatCount(count)}</span> : null

const waiting = (
  <div className={styles['waiting']}>
    <Skeleton height="8lh" />
  </div>
)

/**
 * The filters and the sorting, each behind a button that shows how many are active. Also contains the saved views and a button
 * that resets filters and sorting.
 */
export const FilterBar = ({ datasetId, questions, query, onQuery }: Props) => {
  const { t } = useTranslation('features/annotate')
  const filters = useDebouncedChange(filtersOf(query), onQuery)
  const sort = useDebouncedChange(query.sort, (keys) => onQuery({ sort: keys }))
  const bar = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // A failed prefetch is retried when the panel is opened.
    const timer = setTimeout(() => void Promise.allSettled([loadFilters(), loadSort(), loadViewsPanel()]), preloadDelay)
    return () => clearTimeout(timer)
  }, [])
  const filterCount = activeFilters(query).length
  const sortCount = query.sort.length
  // The buttons' text is hidden to make space for the active filters and the reset button. The text of the saved views is
  // hidden first. On a small screen, all text is hidden.
  const word = filterCount + sortCount > 0 ? 'visually-hidden-on-small' : undefined
  const reset = (): void => {
    onQuery({ ...noFilters, sort: [] })
    bar.current?.querySelector('button')?.focus()
  }
  return (
    <div ref={bar} className={styles['bar']} data-on={filterCount > 0 ? '' : undefined}>
      <Popover
        label={t('filters.title')}
        onClose={filters.flush}
        trigger={
          <Button look="quiet" icon={FilterIcon} className={styles['button']} data-on={filterCount > 0 ? '' : undefined}>
            <span className={word}>{t('filters.title')}</span>
            <Count count={filterCount} />
          </Button>
        }
      >
        <Suspense fallback={waiting}>
          <FilterPanel
            datasetId={datasetId}
            questions={questions}
            status={query.status}
            filters={filters.pendingValue}
            onChange={filters.change}
          />
        </Suspense>
      </Popover>
      <Popover
        label={t('sort.title')}
        onClose={sort.flush}
        trigger={
          <Button look="quiet" icon={SortIcon} className={styles['button']} data-on={sortCount > 0 ? '' : undefined}>
            <span className={word}>{t('sort.title')}</span>
            <Count count={sortCount} />
          </Button>
        }
      >
        <Suspense fallback={waiting}>
          <SortPanel datasetId={datasetId} questions={questions} sort={sort.pendingValue} onChange={sort.change} />
        </Suspense>
      </Popover>
      <Popover
        label={t('views')}
        trigger={
          <Button look="quiet" icon={ViewsIcon} className={styles['button']} title={t('views')}>
            <span className={filterCount > 0 ? 'visually-hidden' : word}>{t('views')}</span>
          </Button>
        }
      >
        <Suspense fallback={waiting}>
          <ViewsPanel datasetId={datasetId} query={query} />
        </Suspense>
      </Popover>
      {filterCount + sortCount > 0 && (
        <Button look="quiet" className={styles['button']} onClick={reset}>
          {t('filters.reset')}
        </Button>
      )}
    </div>
  )
}
