import type { QueryClient } from '@tanstack/react-query'
import { questionsQuery } from '#lib/api/dataset-queries.ts'
import { outbox } from '#lib/outbox/browser-outbox.ts'
import type { AnnotationQuery } from '#lib/url/grammar.ts'
import type { Desk, Post } from './desk.ts'
import { createDesk, createList, deskListKey } from './desk.ts'
import type { List } from './lists.ts'

/** A desk with its first list. */
export type LaidOut = {
  readonly desk: Desk
  readonly list: List
  /** When the list is open. */
  readonly opened: Promise<void>
  /** Whoever has taken it follows the outbox by itself from now on. @returns whether the server took answers until then */
  readonly letGo: () => boolean
}
type Waiting = LaidOut & { readonly post: Post; readonly key: string; readonly at: number }

/** Who comes later finds records that others may have answered meanwhile, in milliseconds. */
const keptFor = 3000

let waiting: Waiting | null = null

/** What becomes of answers before the screen is there counts for it too. */
const follow = ({ annotator }: Desk, { queue }: List): LaidOut['letGo'] => {
  let isBehind = false
  annotator.show(queue)
  const stopConfirmations = outbox.onConfirmed((confirmation) => {
    annotator.confirmed(confirmation)
    isBehind = true
  })
  const stopLines = outbox.subscribe(queue.refresh)
  return () => {
    stopConfirmations()
    stopLines()
    return isBehind
  }
}

/** Nobody has come: others may have the records. */
const drop = ({ list, letGo }: LaidOut): void => {
  letGo()
  list.leased?.release()
}

/**
 * Lays the desk out before the screen is drawn: it shows the first record at once, and is not drawn without one before.
 * @returns when the first record is there; rejects where the questions do not come
 */
export const layOut = async (
  queryClient: QueryClient,
  { datasetId, userId, query }: { readonly datasetId: string; readonly userId: string; readonly query: AnnotationQuery },
): Promise<void> => {
  const post = { datasetId, userId, questions: await queryClient.ensureQueryData(questionsQuery(datasetId)) }
  const desk = createDesk(post)
  const list = createList(queryClient, datasetId, desk.annotator, query)
  const letGo = follow(desk, list)
  const opened = desk.ready.then(() => list.queue.open())
  if (waiting) drop(waiting)
  const made = { desk, list, opened, letGo, post, key: deskListKey(query), at: Date.now() }
  waiting = made
  setTimeout(() => {
    if (waiting !== made) return
    waiting = null
    drop(made)
  }, keptFor)
  await opened
}

/** What was laid out for just that, once; null where nothing was. */
export const takeLaidOut = ({ datasetId, userId, questions }: Post, query: AnnotationQuery): LaidOut | null => {
  const found = waiting
  waiting = null
  if (!found) return null
  const { post, key, at } = found
  const isSame = post.datasetId === datasetId && post.userId === userId && post.questions === questions
  if (isSame && key === deskListKey(query) && Date.now() - at <= keptFor) return found
  drop(found)
  return null
}
