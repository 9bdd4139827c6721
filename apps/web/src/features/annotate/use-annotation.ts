import type { Question } from '@postil/contract/questions.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { countPause } from '#lib/constants.ts'
import { outbox } from '#lib/outbox/browser-outbox.ts'
import type { AnnotationQuery } from '#lib/url/grammar.ts'
import { isHandedOut } from './address/handed-out.ts'
import type { Annotator, createAnnotator } from './annotator.ts'
import { countAnew } from './api.ts'
import { createDesk, createList, deskListKey, sizeOf } from './desk.ts'
import { takeLaidOut } from './laid-out.ts'
import type { QueueSnapshot } from './queue/item.ts'
import type { Queue } from './queue/queue.ts'
import { useLeases } from './use-leases.ts'
import { useRenewal } from './use-renewal.ts'

export type Deed = Parameters<Parameters<typeof createAnnotator>[0]['onDeed']>[0]

type Options = {
  readonly datasetId: string
  readonly userId: string
  readonly questions: readonly Question[]
  readonly query: AnnotationQuery
  /** Another number begins the list anew at the place of the address. */
  readonly epoch: number
  /** Another number forgets what is known of records: answers that were not given here have changed. */
  readonly generation: number
  readonly onDeed: (deed: Deed, recordIds: readonly string[]) => void
}

export type Annotation = {
  readonly annotator: Annotator
  readonly queue: Queue
  readonly shown: QueueSnapshot
  /** The records are handed out one after the other: there are no places in a list. */
  readonly isHandedOut: boolean
  /** The list is what this device has of it: the server has more to say. */
  readonly isAtHand: boolean
  /** How similar a record of the list is to the one asked for, 0 to 1; null where none is asked for. */
  readonly similarityOf: (recordId: string) => number | null
}

/** How long changes of the outbox are gathered before a page of records is looked through, in milliseconds. */
const refreshPause = 40

/** The annotator of a dataset and the list that the address asks for. */
export const useAnnotation = ({ datasetId, userId, questions, query, epoch, generation, onDeed }: Options): Annotation => {
  const queryClient = useQueryClient()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new generation knows nothing of the one before
  const { desk, laidOut } = useMemo(() => {
    const post = { datasetId, userId, questions }
    const found = takeLaidOut(post, query)
    return { desk: found?.desk ?? createDesk(post), laidOut: found }
  }, [datasetId, userId, questions, generation])
  const { annotator } = desk
  useEffect(() => {
    desk.listener.call = onDeed
  })

  const key = `${epoch} ${deskListKey(query)}`
  const untouched = useRef(laidOut)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list changes with its key; its place is followed elsewhere
  const { list, opened } = useMemo(() => {
    const first = untouched.current
    untouched.current = null
    return first
      ? { list: first.list, opened: first.opened }
      : { list: createList(queryClient, datasetId, annotator, query), opened: null }
  }, [annotator, datasetId, key])
  const { queue, leased, lifetime, similarityOf } = list
  const size = sizeOf(query)

  useLeases({ datasetId, queue: leased, lifetime })

  useEffect(() => {
    annotator.show(queue)
    void (opened ?? desk.ready.then(() => queue.open()))
    return () => annotator.show(null)
  }, [annotator, queue, desk, opened])

  const recountNow = useCallback((): void => countAnew(queryClient, datasetId), [queryClient, datasetId])

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const recount = (): void => {
      clearTimeout(timer)
      timer = setTimeout(recountNow, countPause)
    }
    const stopConfirmations = outbox.onConfirmed((confirmation) => {
      annotator.confirmed(confirmation)
      recount()
    })
    const stopGivenUp = outbox.onGivenUp((recordId) => {
      annotator.givenUp(recordId)
      // It may have been refused since its record is gone, which is still counted here.
      recount()
    })
    let refreshing: ReturnType<typeof setTimeout> | undefined
    // Many answers at once are many changes of the outbox: a list of many records looks at them together.
    const refreshSoon = (): void => {
      refreshing ??= setTimeout(() => {
        refreshing = undefined
        queue.refresh()
      }, refreshPause)
    }
    const stopLines = outbox.subscribe(size > 1 ? refreshSoon : queue.refresh)
    // What was counted for the screen was counted before it.
    if (laidOut?.letGo()) recount()
    return () => {
      clearTimeout(refreshing)
      stopConfirmations()
      stopGivenUp()
      stopLines()
      clearTimeout(timer)
    }
  }, [annotator, queue, recountNow, size, laidOut])

  const shown = useSyncExternalStore(queue.subscribe, queue.snapshot)
  const isAtHand = useRenewal({ list, problem: shown.problem, onRenewed: recountNow })
  return { annotator, queue, shown, isHandedOut: isHandedOut(query), isAtHand, similarityOf }
}
