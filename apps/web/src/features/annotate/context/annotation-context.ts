import type { Question } from '@postil/contract/questions.ts'
import type { QueryClient } from '@tanstack/react-query'
import { createDrafts } from '#lib/drafts/drafts.ts'
import { device, outbox } from '#lib/outbox/browser-outbox.ts'
import type { AnnotationQuery } from '#lib/url/grammar.ts'
import { isQueueQuery } from '../address/is-queue-query.ts'
import { listKey } from '../address/list-key.ts'
import type { Annotator } from '../answering/annotator.ts'
import { createAnnotator } from '../answering/annotator.ts'
import type { List } from '../queue/lists.ts'
import { leasedList, searchList } from '../queue/lists.ts'

type OnAction = Parameters<typeof createAnnotator>[0]['onAction']

/** A user, a dataset and its questions. */
export type SessionInput = { readonly datasetId: string; readonly userId: string; readonly questions: readonly Question[] }

/** The annotator of a session. The latest listener is notified of actions. */
export type AnnotationSession = {
  readonly annotator: Annotator
  readonly listener: { call: OnAction }
  /** Resolves when the state on this device is known, which the first record depends on. Never rejects. */
  readonly ready: Promise<unknown>
}

export const createSession = ({ datasetId, userId, questions }: SessionInput): AnnotationSession => {
  const listener: AnnotationSession['listener'] = { call: () => undefined }
  const drafts = createDrafts(device(), userId, datasetId)
  const annotator = createAnnotator({ datasetId, questions, outbox, drafts, onAction: (...action) => listener.call(...action) })
  return { annotator, listener, ready: Promise.allSettled([outbox.start(userId), drafts.load()]) }
}

/** Returns how many records are on the screen at once. */
export const pageSizeOf = ({ page }: AnnotationQuery): number => (page.mode === 'bulk' ? page.size : 1)

/** Returns the key of a list in a session. Different lists have different keys. */
export const sessionListKey = (query: AnnotationQuery): string => `${pageSizeOf(query)} ${isQueueQuery(query)} ${listKey(query)}`

export const createList = (queryClient: QueryClient, datasetId: string, annotator: Annotator, query: AnnotationQuery): List => {
  const context = { queryClient, datasetId, annotator }
  return isQueueQuery(query) ? leasedList(context) : searchList(context, query, pageSizeOf(query))
}
