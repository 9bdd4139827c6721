import type { QueryClient } from '@tanstack/react-query'
import { preloadMessages } from '#i18n/setup.ts'
import { datasetQuery, fieldsQuery, questionsQuery } from '#lib/api/dataset-queries.ts'
import type { AnnotationSearch } from '#lib/url/annotation-search.ts'
import { readAnnotationQuery } from '#lib/url/annotation-search.ts'
import { firstPageQuery, metricsQuery, progressQuery } from './api.ts'
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

/** Asks for everything the annotation screen shows first, at once; what fails is asked for again by the screen itself. */
export const prefetchAnnotation = (queryClient: QueryClient, datasetId: string, search: AnnotationSearch): void => {
  const query = viewOf(readAnnotationQuery(search))
  for (const part of [datasetQuery, fieldsQuery, questionsQuery, metricsQuery, progressQuery]) {
    void queryClient.prefetchQuery(part(datasetId) as ReturnType<typeof datasetQuery>)
  }
  void queryClient.prefetchQuery(firstPageQuery(datasetId, searchBody(query), query))
}
