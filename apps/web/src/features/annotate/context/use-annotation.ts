import type { Question } from '@postil/contract/questions.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { recountDelay } from '#lib/constants.ts'
import { outbox } from '#lib/outbox/browser-outbox.ts'
import type { AnnotationQuery } from '#lib/url/grammar.ts'
import { isQueueQuery } from '../address/is-queue-query.ts'
import type { Annotator, createAnnotator } from '../answering/annotator.ts'
import { refetchCounts } from '../api.ts'
import type { Queue } from '../queue/list-queue.ts'
import type { QueueSnapshot } from '../queue/queue-item.ts'
import { useLeases } from '../queue/use-leases.ts'
import { useRenewal } from '../queue/use-list-renewal.ts'
import { createList, createSession, pageSizeOf, sessionListKey } from './annotation-context.ts'
import { takePrefetchedSession } from './prefetched-context.ts'

export type AnswerActionKind = Parameters<Parameters<typeof createAnnotator>[0]['onAction']>[0]

type Options = {
  readonly datasetId: string
  readonly userId: string
  readonly questions: readonly Question[]
  readonly query: AnnotationQuery
  /** Changing the number restarts the list at the position in the URL. */
  readonly epoch: number
  /** Changing the number clears what is known about records, because answers have changed elsewhere. */
  readonly generation: number
  readonly onAction: (action: AnswerActionKind, recordIds: readonly string[]) => void
}

export type Annotation = {
  readonly annotator: Annotator
  readonly queue: Queue
  readonly shown: QueueSnapshot
  /** Whether the records are leased one after the other, without positions in a list. */
  readonly isLeased: boolean
  /** Whether the list comes from this device instead of the server. */
  readonly isFromDevice: boolean
  /** The similarity of a record to the reference record, 0 to 1. Null without a reference record. */
  readonly similarityOf: (recordId: string) => number | null
}

/** How long outbox changes are batched before a page of records is updated, in milliseconds. */
const refreshPause = 40

/** The annotator of a dataset and the list for the current URL. */
export const useAnnotation = ({ datasetId, userId, questions, query, epoch, generation, onAction }: Options): Annotation => {
  const queryClient = useQueryClient()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new generation needs a new session
  const { session, prefetched } = useMemo(() => {
    const input = { datasetId, userId, questions }
    const found = takePrefetchedSession(input, query)
    return { session: found?.session ?? createSession(input), prefetched: found }
  }, [datasetId, userId, questions, generation])
  const { annotator } = session
  useEffect(() => {
    session.listener.call = onAction
  })

  const key = `${epoch} ${sessionListKey(query)}`
  const unusedSession = useRef(prefetched)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list changes only with its key; another effect handles its position
  const { list, opened } = useMemo(() => {
    const first = unusedSession.current
    unusedSession.current = null
    return first
      ? { list: first.list, opened: first.opened }
      : { list: createList(queryClient, datasetId, annotator, query), opened: null }
  }, [annotator, datasetId, key])
  const { queue, leased, lifetime, similarityOf } = list
  const size = pageSizeOf(query)

  useLeases({ datasetId, queue: leased, lifetime })

  useEffect(() => {
    annotator.show(queue)
    void (opened ?? session.ready.then(() => queue.open()))
    return () => annotator.show(null)
  }, [annotator, queue, session, opened])

  const recountNow = useCallback((): void => refetchCounts(queryClient, datasetId), [queryClient, datasetId])

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const recount = (): void => {
      clearTimeout(timer)
      timer = setTimeout(recountNow, recountDelay)
    }
    const stopConfirmations = outbox.onConfirmed((confirmation) => {
      annotator.confirmed(confirmation)
      recount()
    })
    const stopGivenUp = outbox.onDiscarded((recordId) => {
      annotator.givenUp(recordId)
      // The answer may have been rejected because its record was deleted, and the record is still counted.
      recount()
    })
    let refreshing: ReturnType<typeof setTimeout> | undefined
    // Many answers are many outbox changes, so a page of records handles them in one batch.
    const refreshSoon = (): void => {
      refreshing ??= setTimeout(() => {
        refreshing = undefined
        queue.refresh()
      }, refreshPause)
    }
    const stopLines = outbox.subscribe(size > 1 ? refreshSoon : queue.refresh)
    // The prefetched counts don't include answers confirmed since.
    if (prefetched?.stopFollowing()) recount()
    return () => {
      clearTimeout(refreshing)
      stopConfirmations()
      stopGivenUp()
      stopLines()
      clearTimeout(timer)
    }
  }, [annotator, queue, recountNow, size, prefetched])

  const shown = useSyncExternalStore(queue.subscribe, queue.snapshot)
  const isFromDevice = useRenewal({ list, problem: shown.problem, onRenewed: recountNow })
  return { annotator, queue, shown, isLeased: isQueueQuery(query), isFromDevice, similarityOf }
}
