import type { QueryClient } from '@tanstack/react-query'
import { preloadMessages } from '#i18n/setup.ts'
import { datasetQuery, fieldsQuery, labelColoursQuery, questionsQuery } from '#lib/api/dataset-queries.ts'
import type { AnnotationSearch } from '#lib/url/annotation-search.ts'
import { readAnnotationQuery } from '#lib/url/annotation-search.ts'
import { firstPageQuery, firstRecordsQuery, metricsQuery, progressQuery } from './api.ts'
import { isHandedOut } from './handed-out.ts'
import { searchBody } from './search-body.ts'
import { viewOf } from './view-of.ts'

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

/** Asks for everything the annotation screen shows first, at once; what fails is asked for again by the screen itself. */
export const prefetchAnnotation = (queryClient: QueryClient, datasetId: string, search: AnnotationSearch): void => {
  const query = viewOf(readAnnotationQuery(search))
  // The view of several records is code of its own, wanted as soon as they are there.
  if (query.page.mode === 'bulk') void import('./bulk/BulkView.tsx').catch(() => undefined)
  // The slowest to answer goes first.
  if (isHandedOut(query)) void queryClient.prefetchQuery({ ...firstRecordsQuery(datasetId), staleTime: askedJustNow })
  else void queryClient.prefetchQuery({ ...firstPageQuery(datasetId, searchBody(query), query), staleTime: askedJustNow })
  for (const part of [datasetQuery, fieldsQuery, questionsQuery, labelColoursQuery, metricsQuery, progressQuery]) {
    void queryClient.prefetchQuery(part(datasetId) as ReturnType<typeof datasetQuery>)
  }
}

/** A record with its form, to be looked at from elsewhere. Rejects when the network does not give it. */
export const loadRecordPreview = async () => (await import('./components/RecordPreview.tsx')).RecordPreview
