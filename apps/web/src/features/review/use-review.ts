import type { Gold } from '@postil/contract/gold.ts'
import { maxReviewRecords } from '@postil/contract/wire/limits.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { recordQuery } from '#features/annotate/public.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { isUnknownDataset } from '#lib/api/dataset-queries.ts'
import { problemMessage } from '#lib/api/messages.ts'
import { comparisonQuery } from '#lib/api/review-queries.ts'
import { beforeSignOut } from '#lib/sign-out-tasks.ts'
import { toast } from '#ui/feedback/toast.ts'
import { putGold, releaseReviews, takeReviews } from './api.ts'
import { createGoldSender } from './gold-sender.ts'
import { createReviewList } from './review-list.ts'

/** How often the end of the queue is checked for new records, and how often reservations are renewed, in milliseconds. */
const recheckInterval = 20_000
const renewInterval = 5 * 60_000
/** The maximum number of records that one request releases. */
const maxReleased = 100

export const useReview = (datasetId: string) => {
  const queryClient = useQueryClient()
  const { t } = useTranslation('features/review')
  const translateLost = useRef((values: { readonly title: string; readonly problem: string }) => t('unsent.rejected', values))
  const [{ list, sender }] = useState(() => {
    const keep = (gold: Gold): void => {
      const { queryKey } = comparisonQuery(gold.record_id)
      queryClient.setQueryData(queryKey, (before) => before && { ...before, gold })
      void queryClient.invalidateQueries({ queryKey })
      // The records page can filter its list by review status, so the list may have changed.
      void queryClient.invalidateQueries({ queryKey: ['dataset', datasetId, 'records-table'] })
      void reviewList.refill()
    }
    const goldSender = createGoldSender({
      put: putGold,
      onConfirmed: keep,
      onLost: ({ title }, error) => {
        if (error instanceof ApiError && error.isOutside) return
        const text = translateLost.current({ title, problem: problemMessage(error) })
        toast({ text, kind: 'danger', permanent: true })
      },
      onConflict: (id) => void queryClient.invalidateQueries({ queryKey: comparisonQuery(id).queryKey }),
    })
    const reviewList = createReviewList({
      take: (request) => takeReviews(datasetId, request),
      isUnsent: (id) => goldSender.latestOf(id) !== null,
    })
    return { list: reviewList, sender: goldSender }
  })
  const queue = useSyncExternalStore(list.subscribe, list.snapshot)
  const unsent = useSyncExternalStore(sender.subscribe, sender.snapshot)
  const { problem } = queue
  useEffect(() => {
    // The whole dataset may have been deleted.
    if (isUnknownDataset(problem)) void queryClient.invalidateQueries({ queryKey: ['dataset', datasetId], exact: true })
  }, [queryClient, datasetId, problem])

  const { upcoming } = queue
  useEffect(() => {
    for (const id of upcoming) {
      void queryClient.prefetchQuery(recordQuery(id))
      void queryClient.prefetchQuery(comparisonQuery(id))
    }
  }, [queryClient, upcoming])

  useEffect(() => {
    void list.refill()
    const isVisible = (): boolean => document.visibilityState === 'visible'
    const release = (): Promise<void> => {
      const ids = list.reservedIds().slice(-maxReleased)
      return ids.length === 0 ? Promise.resolve() : releaseReviews(datasetId, ids).catch(() => undefined)
    }
    const recheck = setInterval(() => {
      const { upcoming: next, phase } = list.snapshot()
      if (next.length === 0 && phase === 'ready' && isVisible()) void list.refill(true)
    }, recheckInterval)
    const renewal = setInterval(() => {
      const reserved = list.reservedIds()
      // Takes the reserved records again, without excluding them. This renews the reservations.
      if (reserved.length > 0 && isVisible())
        void takeReviews(datasetId, { limit: Math.min(reserved.length, maxReviewRecords), exclude: [] }).catch(() => undefined)
    }, renewInterval)
    const onOnline = (): void => {
      sender.retryAll()
      if (list.snapshot().phase === 'failed') void list.refill()
    }
    window.addEventListener('online', onOnline)
    const onPageHide = (): void => void release()
    window.addEventListener('pagehide', onPageHide)
    const onPageShow = ({ persisted }: PageTransitionEvent): void => {
      // The browser shows the page from its cache. The records were released when the page was hidden.
      if (persisted) void list.refill()
    }
    window.addEventListener('pageshow', onPageShow)
    const cancelSignOutTask = beforeSignOut(release)
    return () => {
      clearInterval(recheck)
      clearInterval(renewal)
      window.removeEventListener('online', onOnline)
      window.removeEventListener('pagehide', onPageHide)
      window.removeEventListener('pageshow', onPageShow)
      cancelSignOutTask()
      sender.stop()
      void release()
    }
  }, [list, sender, datasetId])

  return { list, sender, queue, unsent }
}

export type Review = ReturnType<typeof useReview>
