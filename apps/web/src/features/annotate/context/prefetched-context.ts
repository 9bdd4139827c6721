import type { QueryClient } from '@tanstack/react-query'
import { questionsQuery } from '#lib/api/dataset-queries.ts'
import { outbox } from '#lib/outbox/browser-outbox.ts'
import type { AnnotationQuery } from '#lib/url/grammar.ts'
import type { List } from '../queue/lists.ts'
import type { AnnotationSession, SessionInput } from './annotation-context.ts'
import { createList, createSession, sessionListKey } from './annotation-context.ts'

/** A session with its first list. */
export type PrefetchedSession = {
  readonly session: AnnotationSession
  readonly list: List
  /** Resolves when the list is open. */
  readonly opened: Promise<void>
  /**
   * Stops following the outbox, which the screen follows from then on. @returns whether the server confirmed answers in the
   * meantime
   */
  readonly stopFollowing: () => boolean
}
type StoredSession = PrefetchedSession & { readonly input: SessionInput; readonly key: string; readonly createdAt: number }

/** How long the result is valid, in milliseconds. After that, others may have answered its records. */
const maxAge = 3000

let prefetched: StoredSession | null = null

/** Applies changes of the outbox that happen before the screen is rendered. */
const followOutbox = ({ annotator }: AnnotationSession, { queue }: List): PrefetchedSession['stopFollowing'] => {
  let hasConfirmations = false
  annotator.show(queue)
  const stopConfirmations = outbox.onConfirmed((confirmation) => {
    annotator.confirmed(confirmation)
    hasConfirmations = true
  })
  const stopLines = outbox.subscribe(queue.refresh)
  return () => {
    stopConfirmations()
    stopLines()
    return hasConfirmations
  }
}

/** Releases an unused result, so that others can have the records. */
const discardSession = ({ list, stopFollowing }: PrefetchedSession): void => {
  stopFollowing()
  list.leased?.release()
}

/**
 * Prefetches the session before the screen is rendered, so that the first render already shows a record.
 * @returns a promise that resolves when the first record has loaded, and rejects if the questions can't be loaded
 */
export const prefetchAnnotationSession = async (
  queryClient: QueryClient,
  { datasetId, userId, query }: { readonly datasetId: string; readonly userId: string; readonly query: AnnotationQuery },
): Promise<void> => {
  const input = { datasetId, userId, questions: await queryClient.ensureQueryData(questionsQuery(datasetId)) }
  const session = createSession(input)
  const list = createList(queryClient, datasetId, session.annotator, query)
  const stopFollowing = followOutbox(session, list)
  const opened = session.ready.then(() => list.queue.open())
  if (prefetched) discardSession(prefetched)
  const created = {
    session,
    list,
    opened,
    stopFollowing,
    input,
    key: sessionListKey(query),
    createdAt: Date.now(),
  }
  prefetched = created
  setTimeout(() => {
    if (prefetched !== created) return
    prefetched = null
    discardSession(created)
  }, maxAge)
  await opened
}

/** Returns the prefetched session for exactly this dataset, user and query, once. Null if there is none. */
export const takePrefetchedSession = (
  { datasetId, userId, questions }: SessionInput,
  query: AnnotationQuery,
): PrefetchedSession | null => {
  const candidate = prefetched
  prefetched = null
  if (!candidate) return null
  const { input, key, createdAt } = candidate
  const isSame = input.datasetId === datasetId && input.userId === userId && input.questions === questions
  if (isSame && key === sessionListKey(query) && Date.now() - createdAt <= maxAge) return candidate
  discardSession(candidate)
  return null
}
