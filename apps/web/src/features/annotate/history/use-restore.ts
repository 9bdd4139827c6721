import type { HistoryChange } from '@postil/contract/history.ts'
import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import type { Response } from '@postil/contract/responses.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useUser } from '#features/auth/public.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { comparisonQuery } from '#lib/api/review-queries.ts'
import { announce } from '#ui/feedback/announcer.ts'
import { toast, toastProblem } from '#ui/feedback/toast.ts'
import type { Annotator } from '../answering/annotator.ts'
import { historyQuery, metricsQuery, progressQuery, restore as restoreOnServer } from '../api.ts'

type Options = {
  readonly record: AnnotationRecord
  readonly annotator: Annotator
  /** The current answers. */
  readonly current: readonly Response[]
  readonly onClose: () => void
}

/**
 * Restores an earlier version. The user's own answer is sent like any other answer, so that it is stored and can be undone.
 * Other people's answers and the record are restored by a separate request.
 */
export const useRestore = ({ record, annotator, current, onClose }: Options) => {
  const { t } = useTranslation('features/annotate')
  const user = useUser()
  const queryClient = useQueryClient()
  const canSeeAll = user.role !== 'annotator'
  const isOwn = (change: HistoryChange): boolean => change.subject === 'response' && change.before.user_id === user.id

  const { mutate, variables, isPending } = useMutation({
    meta: { showsProblem: true },
    mutationFn: async (change: HistoryChange) => {
      if (change.subject === 'record') return restoreOnServer(record.id, change.id, undefined)
      if (change.subject === 'gold') {
        const { gold } = await queryClient.fetchQuery({ ...comparisonQuery(record.id), staleTime: 0 })
        return restoreOnServer(record.id, change.id, gold?.version ?? null)
      }
      const { user_id } = change.before
      return restoreOnServer(record.id, change.id, current.find((answer) => answer.user_id === user_id)?.version ?? null)
    },
    onSuccess: ({ record: changed }) => {
      if (changed) annotator.recordChanged(changed)
      announce(t('history.restored'))
      toast({ text: t('history.restored'), kind: 'success', key: 'restore' })
    },
    onError: (error) => {
      if (error instanceof ApiError && error.status === 409)
        toast({ text: t('history.conflict'), kind: 'danger', key: 'restore' })
      else toastProblem(error)
    },
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: historyQuery(record.id).queryKey }),
        queryClient.invalidateQueries({ queryKey: comparisonQuery(record.id).queryKey }),
        queryClient.invalidateQueries({ queryKey: progressQuery(record.dataset_id).queryKey }),
        queryClient.invalidateQueries({ queryKey: metricsQuery(record.dataset_id).queryKey }),
      ]),
  })

  return {
    /** The change that is being restored, or null. */
    restoring: isPending ? variables.id : null,
    canRestore: (change: HistoryChange): boolean => canSeeAll || isOwn(change),
    canSeeAll,
    restore: (change: HistoryChange): void => {
      if (change.subject === 'response' && isOwn(change)) {
        const { status, values, suggestion_outcomes } = change.before
        annotator.restore(record, { status, values: values ?? {}, suggestion_outcomes })
        onClose()
      } else mutate(change)
    },
  }
}
