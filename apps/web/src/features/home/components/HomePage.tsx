import type { Home } from '@postil/contract/home.ts'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import { settingsQuery, useUser } from '#features/auth/public.ts'
import { GuidesLink } from '#features/guides/public.ts'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { useOfflineCounts } from '#lib/offline/use-offline-counts.ts'
import { Crumbs } from '#lib/shell/Crumbs.tsx'
import { HeaderContent } from '#lib/shell/header-slots.tsx'
import { readHomeSort, readWorkspaces } from '#lib/url/home-search.ts'
import { Button } from '#ui/controls/Button.tsx'
import { buttonClass } from '#ui/controls/button-class.ts'
import { ProblemNotice } from '#ui/feedback/ProblemNotice.tsx'
import { lazyPart } from '#ui/loading/lazy-part.ts'
import { PlusIcon } from '#ui/marks/icons.tsx'
import { useDocumentTitle } from '#ui/page/use-document-title.ts'
import { classNames } from '#ui/styles/class-names.ts'
import type { Row } from '../dataset-list.ts'
import { filterRows, rowsOf, sortRows, splitRows } from '../dataset-list.ts'
import { homeQuery } from '../public.ts'
import { DatasetList } from './DatasetList.tsx'
import styles from './HomePage.module.css'
import { LoadingList } from './LoadingList.tsx'
import { NoDatasets } from './NoDatasets.tsx'
import { NothingFound } from './NothingFound.tsx'
import { StartOptions } from './StartOptions.tsx'
import { Toolbar } from './Toolbar.tsx'

const StorageNotice = lazyPart(() => import('./StorageNotice.tsx').then((module) => ({ default: module.StorageNotice })))

const route = getRouteApi('/inside/')

export const HomePage = () => {
  const { t } = useTranslation('features/home')
  useDocumentTitle(t('title'))
  const { data, error, refetch } = useQuery(homeQuery())
  const canCreate = useUser().role !== 'annotator'
  return (
    <main id="main" tabIndex={-1} className={styles['page']} aria-busy={!data && !error}>
      <HeaderContent crumbs={<Crumbs crumbs={[]} />} />
      <Storage />
      <div className={styles['top']}>
        <h1 className={styles['title']}>{t('title')}</h1>
        {data && data.datasets.length > 0 && <Count home={data} />}
        {data && data.datasets.length > 0 && (
          <span className={styles['guides']}>
            <GuidesLink />
          </span>
        )}
        {canCreate && data && data.datasets.length > 0 && (
          <Link to="/new/{-$datasetId}" className={classNames(buttonClass('primary', 'main'), styles['new'])}>
            <PlusIcon />
            {t('newDataset')}
          </Link>
        )}
      </div>
      {error && <ProblemNotice error={error} action={<Button onClick={() => void refetch()}>{t('retry')}</Button>} />}
      {canCreate && data && data.datasets.length > 0 && <StartOptions home={data} />}
      {data ? data.datasets.length === 0 ? <NoDatasets home={data} /> : <Datasets home={data} /> : !error && <LoadingList />}
    </main>
  )
}

/** Only a hosted Space can lose its data on a restart. Its settings say whether that is the case. */
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
  const { pending, rest } = splitRows(sortRows(found, readHomeSort(sort)))
  return (
    <>
      <Toolbar home={home} />
      {found.length === 0 && <NothingFound home={home} />}
      {pending.length > 0 && <DatasetList title={t('waiting')} rows={pending} onDevice={onDevice} />}
      {rest.length > 0 && (
        <DatasetList title={pending.length > 0 ? t('others') : t('nothingWaiting')} rows={rest} onDevice={onDevice} />
      )}
    </>
  )
}
