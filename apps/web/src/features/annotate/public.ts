import type { AnnotationSearch } from '@postil/contract/annotation-query/annotation-search.ts'
import { readAnnotationQuery } from '@postil/contract/annotation-query/annotation-search.ts'
import { searchBody } from '@postil/contract/annotation-query/search-body.ts'
import type { QueryClient } from '@tanstack/react-query'
import { notFound } from '@tanstack/react-router'
import { preloadTypeMessages } from '#i18n/setup.ts'
import { isUnknownDataset } from '#lib/api/dataset-queries.ts'
import { isQueueQuery } from './address/list-of-query.ts'
import { startOfPage, viewOf } from './address/page.ts'
import { firstPageQuery, firstRecordsQuery } from './api.ts'
import { BulkView } from './bulk/lazy-bulk-view.ts'
import { prefetchSetup } from './context/prefetch-setup.ts'
import { prefetchAnnotationContext } from './context/prefetched-context.ts'

export { createFormKeys } from './answering/keys/form-keys.ts'
export { useShortcuts } from './answering/keys/use-shortcuts.ts'
export { recordQuery } from './api.ts'

/** Loads the messages of the annotation screen. */
export const loadAnnotationMessages = (): Promise<void> => preloadTypeMessages('features/annotate')

/**
 * How long a prefetched list is considered fresh, in milliseconds. The list may have been requested before the page's code
 * loaded.
 */
const prefetchStaleTime = 3000

/**
 * Requests everything that the annotation screen shows first. The screen itself retries failures.
 * @param leaseRecords whether the user is navigating to the screen. A preload must not lease records, because other users then
 * couldn't get them
 * @returns a promise that resolves when the view's code has loaded or failed to load
 */
export const prefetchAnnotation = async (
  queryClient: QueryClient,
  datasetId: string,
  search: AnnotationSearch,
  { leaseRecords }: { readonly leaseRecords: boolean },
): Promise<void> => {
  const query = viewOf(readAnnotationQuery(search))
  const view = query.page.mode === 'bulk' ? BulkView.preload().catch(() => undefined) : null
  // The slowest request goes first.
  if (!isQueueQuery(query))
    void queryClient.prefetchQuery({ ...firstPageQuery(datasetId, searchBody(query), query), staleTime: prefetchStaleTime })
  else if (leaseRecords)
    void queryClient.prefetchQuery({ ...firstRecordsQuery(datasetId, startOfPage(query.page)), staleTime: prefetchStaleTime })
  prefetchSetup(queryClient, datasetId)
  await view
}

/** How long a page waits for its first record before it is rendered without one, in milliseconds. */
const maxRenderDelay = 150

/**
 * Prepares everything that the screen shows first, including the requests of `prefetchAnnotation`, so that the screen renders
 * only once.
 * @returns a promise that resolves when the screen can be rendered
 * @throws notFound if the dataset does not exist
 */
export const prepareAnnotation = async (
  queryClient: QueryClient,
  { datasetId, userId, search }: { readonly datasetId: string; readonly userId: string; readonly search: AnnotationSearch },
): Promise<void> => {
  const fetched = prefetchAnnotation(queryClient, datasetId, search, { leaseRecords: true })
  const query = viewOf(readAnnotationQuery(search))
  const contextReady = prefetchAnnotationContext(queryClient, { datasetId, userId, query }).catch((error: unknown) => {
    // The screen handles all other errors itself.
    if (isUnknownDataset(error)) throw notFound()
  })
  const timeout = new Promise((done) => setTimeout(done, maxRenderDelay))
  await Promise.all([fetched, Promise.race([contextReady, timeout])])
}

/** Loads the component that shows a record with its form, for use in other features. Rejects if the network fails. */
export const loadRecordPreview = async () => (await import('./record/RecordPreview.tsx')).RecordPreview

/** Loads the component that shows only the fields of a record. Rejects if the network fails. */
export const loadRecordReading = async () => (await import('./record/RecordReading.tsx')).RecordReading

/**
 * Loads the component that shows the fields of a record and lets the user edit spans in their text. Rejects if the network fails.
 */
export const loadRecordFields = async () => (await import('./record/RecordFields.tsx')).RecordFields

/** Loads the component that shows a question with the editor of its type. Rejects if the network fails. */
export const loadQuestionBlock = async () => (await import('./answering/form/QuestionBlock.tsx')).QuestionBlock

/** Loads the components that list the shortcuts of a screen. Rejects if the network fails. */
export const loadShortcutParts = () => import('./answering/keys/ShortcutDialog.tsx')
