import type { OwnAssignments } from '@postil/contract/assignments.ts'
import type { Home } from '@postil/contract/home.ts'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense } from 'react'
import { settingsQuery, useUser } from '#features/auth/public.ts'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { useOfflineCounts } from '#lib/offline/use-offline-counts.ts'
import { Crumbs } from '#lib/shell/Crumbs.tsx'
import { HeaderContent } from '#lib/shell/header-slots.tsx'
import { readHomeSort, readWorkspaces } from '#lib/url/home-search.ts'
import { Button } from '#ui/controls/Button.tsx'
import { ProblemNotice } from '#ui/feedback/ProblemNotice.tsx'
import { lazyPart } from '#ui/loading/lazy-part.ts'
import { useDocumentTitle } from '#ui/page/use-document-title.ts'
import type { Row } from '../dataset-list.ts'
import { filterRows, rowsOf, sortRows, splitRows } from '../dataset-list.ts'
import { homeQuery, ownAssignmentsQuery } from '../public.ts'
import { DatasetList } from './DatasetList.tsx'
import styles from './HomePage.module.css'
import { LoadingList } from './LoadingList.tsx'
import { NewDatasetMenu } from './NewDatasetMenu.tsx'
import { NoDatasets } from './NoDatasets.tsx'
import { NothingFound } from './NothingFound.tsx'
import { Toolbar } from './Toolbar.tsx'

const StorageNotice = lazyPart(() => import('./StorageNotice.tsx').then((module) => ({ default: module.StorageNotice })))

/** Loaded after the list, because most visitors come for the list. */
const HomeSidebar = lazyPart(() => import('./HomeSidebar.tsx').then((module) => ({ default: module.HomeSidebar })))

const route = getRouteApi('/inside/')

export const HomePage = () => {
  const { t } = useTranslation('features/home')
  useDocumentTitle(t('title'))
  const { data, error, refetch } = useQuery(homeQuery())
  const { role } = useUser()
  const hasDatasets = data !== undefined && data.datasets.length > 0
  // A dataset needs a workspace, and only owners create workspaces.
  const canCreate = role !== 'annotator' && data !== undefined && (role === 'owner' || data.workspaces.length > 0)
  return (
    <div className={styles['page']}>
      <main id="main" tabIndex={-1} className={styles['main']} aria-busy={!data && !error}>
        <HeaderContent crumbs={<Crumbs crumbs={[]} />} />
        <Storage />
        <div className={styles['top']}>
          <h1 className={styles['title']}>{t('title')}</h1>
          {hasDatasets && <Count home={data} />}
          {hasDatasets && canCreate && <NewDatasetMenu home={data} />}
        </div>
        {error && <ProblemNotice error={error} action={<Button onClick={() => void refetch()}>{t('retry')}</Button>} />}
        {data ? (
          hasDatasets ? (
            <Datasets home={data} />
          ) : (
            <NoDatasets home={data} canCreate={canCreate} />
          )
        ) : (
          !error && <LoadingList />
        )}
      </main>
      {data && (
        <Suspense>
          {/* Without datasets, the sidebar doesn't offer to create one, because the main content already shows how. */}
          <HomeSidebar home={data} canCreate={canCreate && hasDatasets} />
        </Suspense>
      )}
    </div>
  )
}

/** Shows a notice if the server runs in a Hub Space without persistent storage, because a restart can then delete its data. */
const Storage = () => {
  const { data: settings } = useQuery(settingsQuery())
  const space = settings?.huggingface
  const isStorageNoticeNeeded = settings?.argilla.show_huggingface_space_persistent_storage_warning === true
  return (
    space !== undefined &&
    isStorageNoticeNeeded &&
    !space.space_persistent_storage_enabled && (
      <Suspense>
        <StorageNotice spaceId={space.space_id} />
      </Suspense>
    )
  )
}

const none: ReadonlyMap<string, OwnAssignments> = new Map()

const useFilteredRows = (home: Home): readonly Row[] => {
  const { search = '', workspaces } = route.useSearch()
  return filterRows(rowsOf(home), search, readWorkspaces(workspaces))
}

const Count = ({ home }: { readonly home: Home }) => {
  const { t } = useTranslation('features/home')
  const shown = useFilteredRows(home).length
  const total = home.datasets.length
  return (
    <p className={styles['count']} role="status">
      {shown === total
        ? t('count', { count: total, number: formatCount(total) })
        : t('countOf', { count: total, shown: formatCount(shown), total: formatCount(total) })}
    </p>
  )
}

const Datasets = ({ home }: { readonly home: Home }) => {
  const { t } = useTranslation('features/home')
  const { sort } = route.useSearch()
  const found = useFilteredRows(home)
  const onDevice = useOfflineCounts(useUser().id)
  const { data: assignments = none } = useQuery({ ...ownAssignmentsQuery(), enabled: home.has_assignments })
  const { pending, rest } = splitRows(sortRows(found, readHomeSort(sort)))
  const isAssigned = ({ dataset }: Row): boolean => (assignments.get(dataset.id)?.remaining ?? 0) > 0
  const assigned = pending.filter(isAssigned)
  const waiting = pending.filter((row) => !isAssigned(row))
  const shared = { onDevice, assignments }
  return (
    <>
      <Toolbar home={home} />
      {found.length === 0 && <NothingFound home={home} />}
      {assigned.length > 0 && <DatasetList title={t('assigned.title')} rows={assigned} {...shared} />}
      {waiting.length > 0 && <DatasetList title={t('waiting')} rows={waiting} {...shared} />}
      {rest.length > 0 && <DatasetList title={pending.length > 0 ? t('others') : t('nothingWaiting')} rows={rest} {...shared} />}
    </>
  )
}
