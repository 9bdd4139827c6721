import type { Question } from '@postil/contract/questions.ts'
import type { QueryClient } from '@tanstack/react-query'
import { createDrafts } from '#lib/drafts/drafts.ts'
import { device, outbox } from '#lib/outbox/browser-outbox.ts'
import type { AnnotationQuery } from '#lib/url/grammar.ts'
import { isHandedOut } from './address/handed-out.ts'
import { listKey } from './address/list-key.ts'
import type { Annotator } from './annotator.ts'
import { createAnnotator } from './annotator.ts'
import type { List } from './lists.ts'
import { handedOutList, searchList } from './lists.ts'

type OnDeed = Parameters<typeof createAnnotator>[0]['onDeed']

/** Who answers what. */
export type Post = { readonly datasetId: string; readonly userId: string; readonly questions: readonly Question[] }

/** An annotator at work, who is told of what is done by whoever listens last. */
export type Desk = {
  readonly annotator: Annotator
  readonly listener: { call: OnDeed }
  /** What is on this device has to be known before the first record is shown. Never rejects. */
  readonly ready: Promise<unknown>
}

export const createDesk = ({ datasetId, userId, questions }: Post): Desk => {
  const listener: Desk['listener'] = { call: () => undefined }
  const drafts = createDrafts(device(), userId, datasetId)
  const annotator = createAnnotator({ datasetId, questions, outbox, drafts, onDeed: (...deed) => listener.call(...deed) })
  return { annotator, listener, ready: Promise.allSettled([outbox.start(userId), drafts.load()]) }
}

/** How many records are on the screen at once. */
export const sizeOf = ({ page }: AnnotationQuery): number => (page.mode === 'bulk' ? page.size : 1)

/** Names a list at a desk; another name is another list. */
export const deskListKey = (query: AnnotationQuery): string => `${sizeOf(query)} ${isHandedOut(query)} ${listKey(query)}`

export const createList = (queryClient: QueryClient, datasetId: string, annotator: Annotator, query: AnnotationQuery): List => {
  const ground = { queryClient, datasetId, annotator }
  return isHandedOut(query) ? handedOutList(ground) : searchList(ground, query, sizeOf(query))
}
