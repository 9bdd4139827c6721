import { printAnnotationQuery } from '@postil/contract/annotation-query/annotation-search.ts'
import { emptyQuery } from '@postil/contract/annotation-query/grammar.ts'
import type { QueryClient } from '@tanstack/react-query'
import { isRedirect, notFound, redirect } from '@tanstack/react-router'
import { preloadTypeMessages } from '#i18n/setup.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { recordQuery } from './api.ts'

export { type People, usePeople } from './people.ts'
export { agreementColumn, printAnswer, printDiffer, printOverlap, printSuggested } from './search-body.ts'

/** Loads the messages of the records page. */
export const loadRecordsMessages = (): Promise<void> =>
  preloadTypeMessages('features/records', 'features/assignments', 'features/annotate', 'features/review')

type Target = {
  readonly datasetId: string
  readonly recordId: string
  /** Whether the user may see everyone's answers. */
  readonly seesAll: boolean
}

/**
 * Redirects from a record's address: to the records page for users who may see everyone's answers, and to the annotation screen
 * for annotators.
 * @throws a redirect, or notFound
 */
export const openRecord = async (queryClient: QueryClient, { datasetId, recordId, seesAll }: Target): Promise<never> => {
  if (seesAll)
    throw redirect({ to: '/dataset/$datasetId/records', params: { datasetId }, search: { record: recordId }, replace: true })
  try {
    const record = await queryClient.fetchQuery(recordQuery(recordId))
    if (record.dataset_id !== datasetId) throw notFound()
    const status = record.responses?.[0]?.status ?? 'pending'
    const search = printAnnotationQuery({ ...emptyQuery, status, search: { text: `id:${recordId}`, field: null } })
    throw redirect({ to: '/dataset/$datasetId/annotation-mode', params: { datasetId }, search, replace: true })
  } catch (error) {
    if (!isRedirect(error) && error instanceof ApiError && (error.status === 404 || error.status === 422)) throw notFound()
    throw error
  }
}
