import type { Question } from '@postil/contract/questions.ts'
import { Suspense, useEffect, useRef } from 'react'
import { loadViewsPanel } from '#features/saved-views/service.ts'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import type { AnnotationQuery, QueryChange } from '#lib/url/grammar.ts'
import { Button } from '#ui/controls/Button.tsx'
import { FilterIcon, SortIcon, ViewsIcon } from '#ui/marks/icons.tsx'
import { Popover } from '#ui/overlays/Popover.tsx'
import { lazyPart } from '#ui/waiting/lazy-part.ts'
import { Skeleton } from '#ui/waiting/Skeleton.tsx'
import { activeFilters, filtersOf, noFilters } from '../filters.ts'
import { useHeld } from '../values/use-held.ts'
import styles from './FilterBar.module.css'

const loadFilters = () => import('./FilterPanel.tsx')
const loadSort = () => import('./SortPanel.tsx')
/** How long after the screen is there the panels are fetched, in milliseconds: before they are wanted, also offline. */
const fetchAhead = 2000
const FilterPanel = lazyPart(() => loadFilters().then((module) => ({ default: module.FilterPanel })), { isAskedFor: true })
const SortPanel = lazyPart(() => loadSort().then((module) => ({ default: module.SortPanel })), { isAskedFor: true })
const ViewsPanel = lazyPart(() => loadViewsPanel().then((panel) => ({ default: panel })), { isAskedFor: true })

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

/** What restricts the list and how it is sorted, each behind a button that counts what is on; what was kept of both under a name; and the way back to all of it. */
export const FilterBar = ({ datasetId, questions, query, onQuery }: Props) => {
  const { t } = useTranslation('features/annotate')
  const filters = useHeld(filtersOf(query), onQuery)
  const sort = useHeld(query.sort, (keys) => onQuery({ sort: keys }))
  const bar = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // What does not arrive now is asked for again when it is opened.
    const timer = setTimeout(() => void Promise.allSettled([loadFilters(), loadSort(), loadViewsPanel()]), fetchAhead)
    return () => clearTimeout(timer)
  }, [])
  const filterCount = activeFilters(query).length
  const sortCount = query.sort.length
  // The words give way to those of the filters that are on, and to the way back: that of the views first, all of them on a small screen.
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
            filters={filters.held}
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
          <SortPanel datasetId={datasetId} questions={questions} sort={sort.held} onChange={sort.change} />
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
