import type { QueryClient } from '@tanstack/react-query'
import { notFound } from '@tanstack/react-router'
import { preloadMessages } from '#i18n/setup.ts'
import { isUnknownDataset } from '#lib/api/dataset-queries.ts'
import type { AnnotationSearch } from '#lib/url/annotation-search.ts'
import { readAnnotationQuery } from '#lib/url/annotation-search.ts'
import { isHandedOut } from './address/handed-out.ts'
import { searchBody } from './address/search-body.ts'
import { viewOf } from './address/view-of.ts'
import { firstPageQuery, firstRecordsQuery } from './api.ts'
import { BulkView } from './bulk/lazy-view.ts'
import { layOut } from './laid-out.ts'
import { prefetchSetup } from './setup.ts'

const areas = [
  'features/annotate',
  ...['shared', 'text', 'rating', 'label_selection', 'multi_label_selection', 'ranking', 'span'].map(
    (slice) => `question-types/${slice}`,
  ),
  ...['text', 'image', 'custom'].map((slice) => `field-types/${slice}`),
]

/** The texts of the annotation screen. */
export const loadAnnotationMessages = (): Promise<void> => preloadMessages(...areas)

/** A list that was asked for before the page's own code was there is not asked for again, in milliseconds. */
const askedJustNow = 3000

/**
 * Asks for everything the annotation screen shows first, at once; what fails is asked for again by the screen itself.
 * @param comes whether somebody is on the way to it: of what others can be kept from nothing is taken for who only passes by
 * @returns when the code of the view is there, or does not come
 */
export const prefetchAnnotation = async (
  queryClient: QueryClient,
  datasetId: string,
  search: AnnotationSearch,
  { comes }: { readonly comes: boolean },
): Promise<void> => {
  const query = viewOf(readAnnotationQuery(search))
  const view = query.page.mode === 'bulk' ? BulkView.preload().catch(() => undefined) : null
  // The slowest to answer goes first.
  if (!isHandedOut(query))
    void queryClient.prefetchQuery({ ...firstPageQuery(datasetId, searchBody(query), query), staleTime: askedJustNow })
  else if (comes) void queryClient.prefetchQuery({ ...firstRecordsQuery(datasetId), staleTime: askedJustNow })
  prefetchSetup(queryClient, datasetId)
  await view
}

/** How long a page waits for its first record before it is drawn without one, in milliseconds. */
const drawnWithin = 150

/**
 * Gets everything ready that the screen draws first, what it asks for with `prefetchAnnotation` included, so that it is drawn once.
 * @returns when it may be drawn
 * @throws notFound where there is no such dataset
 */
export const prepareAnnotation = async (
  queryClient: QueryClient,
  { datasetId, userId, search }: { readonly datasetId: string; readonly userId: string; readonly search: AnnotationSearch },
): Promise<void> => {
  const fetched = prefetchAnnotation(queryClient, datasetId, search, { comes: true })
  const query = viewOf(readAnnotationQuery(search))
  const laidOut = layOut(queryClient, { datasetId, userId, query }).catch((error: unknown) => {
    // What else went wrong the screen finds out by itself.
    if (isUnknownDataset(error)) throw notFound()
  })
  const late = new Promise((done) => setTimeout(done, drawnWithin))
  await Promise.all([fetched, Promise.race([laidOut, late])])
}

/** A record with its form, to be looked at from elsewhere. Rejects when the network does not give it. */
export const loadRecordPreview = async () => (await import('./components/record/RecordPreview.tsx')).RecordPreview
