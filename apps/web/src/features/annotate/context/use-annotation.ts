import type { AnnotationQuery } from '@postil/contract/annotation-query/grammar.ts'
import type { Question } from '@postil/contract/questions.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { recountDelay } from '#lib/constants.ts'
import { outbox } from '#lib/outbox/browser-outbox.ts'
import { isQueueQuery } from '../address/list-of-query.ts'
import type { Annotator, OnAction } from '../answering/annotator.ts'
import { refetchCounts } from '../api.ts'
import type { ListSnapshot } from '../queue/list-item.ts'
import type { RecordList } from '../queue/record-list.ts'
import { useLeases } from '../queue/use-leases.ts'
import { useRenewal } from '../queue/use-list-renewal.ts'
import { contextListKey, createContext, createList, pageSizeOf } from './annotation-context.ts'
import { takePrefetchedContext } from './prefetched-context.ts'

type Options = {
  readonly datasetId: string
  readonly userId: string
  readonly questions: readonly Question[]
  readonly query: AnnotationQuery
  /** Changing the number restarts the list at the position in the URL. */
  readonly epoch: number
  /** Increased when answers have changed elsewhere. A new annotator and a new list are then created. */
  readonly generation: number
  readonly onAction: OnAction
}

export type Annotation = {
  readonly annotator: Annotator
  readonly records: RecordList
  readonly shown: ListSnapshot
  /** Whether the records are leased one after the other, without positions in a list. */
  readonly isLeased: boolean
  /** Whether the list comes from this device instead of the server. */
  readonly isFromDevice: boolean
  /** The similarity of a record to the reference record, 0 to 1. Null if there is no reference record. */
  readonly similarityOf: (recordId: string) => number | null
}

/** How long outbox changes are batched before a page of records is updated, in milliseconds. */
const refreshPause = 40

export const useAnnotation = ({ datasetId, userId, questions, query, epoch, generation, onAction }: Options): Annotation => {
  const queryClient = useQueryClient()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new generation needs a new context
  const { context, prefetched } = useMemo(() => {
    const input = { datasetId, userId, questions }
    const found = takePrefetchedContext(input, query)
    return { context: found?.context ?? createContext(queryClient, input), prefetched: found }
  }, [datasetId, userId, questions, generation])
  const { annotator } = context
  useEffect(() => {
    context.listener.call = onAction
  })

  const key = `${epoch} ${contextListKey(query)}`
  const unusedContext = useRef(prefetched)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list changes only with its key; another effect handles its position
  const { list, opened } = useMemo(() => {
    const first = unusedContext.current
    unusedContext.current = null
    return first
      ? { list: first.list, opened: first.opened }
      : { list: createList(queryClient, datasetId, annotator, query), opened: null }
  }, [annotator, datasetId, key])
  const { records, leased, lifetime, similarityOf } = list
  const size = pageSizeOf(query)

  useLeases({ datasetId, list: leased, lifetime })

  useEffect(() => {
    annotator.show(records)
    void (opened ?? context.ready.then(() => records.open()))
    return () => annotator.show(null)
  }, [annotator, records, context, opened])

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
    const stopDropped = outbox.onDropped((recordId) => {
      annotator.dropped(recordId)
      // The answer may have been rejected because its record was deleted. The counts may still include that record.
      recount()
    })
    let refreshing: ReturnType<typeof setTimeout> | undefined
    // A bulk answer causes many outbox changes, so a page of records handles them in one batch.
    const refreshSoon = (): void => {
      refreshing ??= setTimeout(() => {
        refreshing = undefined
        records.refresh()
      }, refreshPause)
    }
    const stopLines = outbox.subscribe(size > 1 ? refreshSoon : records.refresh)
    // The prefetched counts don't include answers that were confirmed after the prefetch.
    if (prefetched?.stopFollowing()) recount()
    return () => {
      clearTimeout(refreshing)
      stopConfirmations()
      stopDropped()
      stopLines()
      clearTimeout(timer)
    }
  }, [annotator, records, recountNow, size, prefetched])

  const shown = useSyncExternalStore(records.subscribe, records.snapshot)
  const isFromDevice = useRenewal({ list, problem: shown.problem, onRenewed: recountNow })
  return { annotator, records, shown, isLeased: isQueueQuery(query), isFromDevice, similarityOf }
}
