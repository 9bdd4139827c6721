import type { AnnotationQuery } from '@postil/contract/annotation-query/grammar.ts'
import type { QueryClient } from '@tanstack/react-query'
import { fieldsQuery, questionsQuery } from '#lib/api/dataset-queries.ts'
import { outbox } from '#lib/outbox/browser-outbox.ts'
import { preloadQuestionTypes } from '#question-types/registry.ts'
import type { AnnotationList } from '../queue/annotation-lists.ts'
import { preloadFields } from '../record/lazy-long-field.ts'
import type { AnnotationContext, ContextInput } from './annotation-context.ts'
import { contextListKey, createContext, createList } from './annotation-context.ts'

/** A context with its first list. */
type PrefetchedContext = {
  readonly context: AnnotationContext
  readonly list: AnnotationList
  /** Resolves when the list is open. */
  readonly opened: Promise<void>
  /**
   * Stops applying outbox changes to the list. Called when the rendered screen applies them itself.
   * @returns whether the server has confirmed answers since the prefetch
   */
  readonly stopFollowing: () => boolean
}
type StoredContext = PrefetchedContext & { readonly input: ContextInput; readonly key: string; readonly createdAt: number }

/** How long the prefetched context is valid, in milliseconds. After that, other users may have answered its records. */
const maxAge = 3000

let prefetched: StoredContext | null = null

/** Applies outbox changes to the list until the screen is rendered. */
const followOutbox = ({ annotator }: AnnotationContext, { records }: AnnotationList): PrefetchedContext['stopFollowing'] => {
  let hasConfirmations = false
  annotator.show(records)
  const stopConfirmations = outbox.onConfirmed((confirmation) => {
    annotator.confirmed(confirmation)
    hasConfirmations = true
  })
  const stopLines = outbox.subscribe(records.refresh)
  return () => {
    stopConfirmations()
    stopLines()
    return hasConfirmations
  }
}

/** Discards a prefetched context that isn't used. Releases the leases on its records, so that other users can get them. */
const discardContext = ({ list, stopFollowing }: PrefetchedContext): void => {
  stopFollowing()
  list.leased?.release()
}

/**
 * Prefetches the context before the screen is rendered, so that the first render already shows a record.
 * @returns a promise that resolves when the first record, the question editors and the field views have loaded, and rejects if
 * the questions can't be loaded
 */
export const prefetchAnnotationContext = async (
  queryClient: QueryClient,
  { datasetId, userId, query }: { readonly datasetId: string; readonly userId: string; readonly query: AnnotationQuery },
): Promise<void> => {
  // The screen itself retries failed downloads.
  const fieldsReady = queryClient
    .ensureQueryData(fieldsQuery(datasetId))
    .then(preloadFields)
    .catch(() => undefined)
  const input = { datasetId, userId, questions: await queryClient.ensureQueryData(questionsQuery(datasetId)) }
  const context = createContext(queryClient, input)
  const list = createList(queryClient, datasetId, context.annotator, query)
  const stopFollowing = followOutbox(context, list)
  const typesReady = preloadQuestionTypes(input.questions.map(({ settings }) => settings)).catch(() => undefined)
  const opened = context.ready.then(() => list.records.open())
  if (prefetched) discardContext(prefetched)
  const created = {
    context,
    list,
    opened,
    stopFollowing,
    input,
    key: contextListKey(query),
    createdAt: Date.now(),
  }
  prefetched = created
  setTimeout(() => {
    if (prefetched !== created) return
    prefetched = null
    discardContext(created)
  }, maxAge)
  await Promise.all([opened, typesReady, fieldsReady])
}

/**
 * Returns the prefetched context if it is still valid and matches this dataset, user, questions and query. Otherwise returns
 * null. Each context is returned only once.
 */
export const takePrefetchedContext = (
  { datasetId, userId, questions }: ContextInput,
  query: AnnotationQuery,
): PrefetchedContext | null => {
  const candidate = prefetched
  prefetched = null
  if (!candidate) return null
  const { input, key, createdAt } = candidate
  const isSame = input.datasetId === datasetId && input.userId === userId && input.questions === questions
  if (isSame && key === contextListKey(query) && Date.now() - createdAt <= maxAge) return candidate
  discardContext(candidate)
  return null
}
