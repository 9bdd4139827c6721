import type { AnnotationQuery } from '@postil/contract/annotation-query/grammar.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { QueryClient } from '@tanstack/react-query'
import { settingsQuery } from '#features/auth/public.ts'
import { formatBytes } from '#i18n/format-bytes.ts'
import { translate } from '#i18n/texts.ts'
import { createDrafts } from '#lib/drafts/drafts.ts'
import { device, outbox } from '#lib/outbox/browser-outbox.ts'
import { toast } from '#ui/feedback/toast.ts'
import { isQueueQuery, listKey } from '../address/list-of-query.ts'
import { activeTimeOf } from '../answering/active-time.ts'
import type { OnAction, OnTooLarge } from '../answering/annotator.ts'
import { Annotator } from '../answering/annotator.ts'
import { loadConditions } from '../answering/shown-questions.ts'
import type { AnnotationList } from '../queue/annotation-lists.ts'
import { createQueueList, createSearchList } from '../queue/annotation-lists.ts'

/** A user, a dataset and its questions. */
export type ContextInput = { readonly datasetId: string; readonly userId: string; readonly questions: readonly Question[] }

export type AnnotationContext = {
  readonly annotator: Annotator
  readonly listener: { call: OnAction }
  /**
   * Resolves when this device's outbox and drafts, and the code that evaluates conditions, are loaded. The first record depends
   * on them. Never rejects.
   */
  readonly ready: Promise<unknown>
}

const sayTooLarge: OnTooLarge = (size, limit) => {
  const text = translate('features/annotate:form.tooLarge', { size: formatBytes(size), limit: formatBytes(limit) })
  toast({ text, kind: 'danger', key: 'answer-too-large' })
}

export const createContext = (queryClient: QueryClient, { datasetId, userId, questions }: ContextInput): AnnotationContext => {
  const listener: AnnotationContext['listener'] = { call: () => undefined }
  const drafts = createDrafts(device(), userId, datasetId)
  const annotator = new Annotator({
    datasetId,
    userId,
    questions,
    outbox,
    drafts,
    activeTime: activeTimeOf(userId),
    onAction: (...action) => listener.call(...action),
    answerLimit: () => queryClient.getQueryData(settingsQuery().queryKey)?.answers?.max_bytes ?? null,
    onTooLarge: sayTooLarge,
  })
  return { annotator, listener, ready: Promise.allSettled([outbox.start(userId), drafts.load(), loadConditions(questions)]) }
}

/** Returns how many records are on the screen at once. */
export const pageSizeOf = ({ page }: AnnotationQuery): number => (page.mode === 'bulk' ? page.size : 1)

/** Returns the key of a list in a context. Different lists have different keys. */
export const contextListKey = (query: AnnotationQuery): string => `${pageSizeOf(query)} ${isQueueQuery(query)} ${listKey(query)}`

export const createList = (
  queryClient: QueryClient,
  datasetId: string,
  annotator: Annotator,
  query: AnnotationQuery,
): AnnotationList => {
  const context = { queryClient, datasetId, annotator }
  return isQueueQuery(query) ? createQueueList(context, query) : createSearchList(context, query, pageSizeOf(query))
}
