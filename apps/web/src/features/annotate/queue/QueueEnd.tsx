import type { AnnotationQuery } from '@postil/contract/annotation-query/grammar.ts'
import type { Dataset } from '@postil/contract/datasets.ts'
import type { Field } from '@postil/contract/fields.ts'
import type { Question } from '@postil/contract/questions.ts'
import { Suspense } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { useOnline } from '#lib/net/connection.ts'
import { useOutbox } from '#lib/outbox/use-outbox.ts'
import type { QueryChange } from '#lib/url/query-change.ts'
import { Button } from '#ui/controls/Button.tsx'
import { EmptyState } from '#ui/feedback/EmptyState.tsx'
import { ProblemText } from '#ui/feedback/ProblemNotice.tsx'
import { noRestrictions } from '../filters/filters.ts'
import { isRejectedQuery } from '../filters/rejected-query.ts'
import { NoRecord, RejectedQuery } from '../lazy-parts.ts'

type Props = {
  readonly dataset: Dataset
  readonly fields: readonly Field[]
  readonly questions: readonly Question[]
  readonly query: AnnotationQuery
  /** Whether the list comes from this device. */
  readonly isFromDevice: boolean
  /** The error if nothing could be fetched, or null. */
  readonly problem: unknown
  readonly onRetry: () => void
  readonly onQuery: (change: QueryChange) => void
}

/** Shown at the end of a list, or if it has no records: the reason and a button for the next step. */
export const QueueEnd = ({ dataset, fields, questions, query, isFromDevice, problem, onRetry, onQuery }: Props) => {
  const { t } = useTranslation('features/annotate')
  const { sender } = useOutbox()
  const isOffline = !useOnline()
  // Only the server knows whether any records are left.
  const isServerAway = isOffline || sender === 'waiting' || isFromDevice
  const retryButton = <Button onClick={onRetry}>{t('end.again')}</Button>
  if (isRejectedQuery(problem, query)) {
    const parts = { datasetId: dataset.id, fields, questions, query, problem, onQuery }
    return (
      <Suspense>
        <RejectedQuery {...parts} />
      </Suspense>
    )
  }
  const toPending = <Button onClick={() => onQuery({ ...noRestrictions, status: 'pending' })}>{t('end.toPending')}</Button>
  const isNotOnDevice = problem instanceof ApiError && problem.code === 'not_on_device'
  if (problem !== null)
    return (
      <EmptyState
        title={t('end.failed')}
        hint={<ProblemText error={problem} />}
        action={isNotOnDevice ? toPending : retryButton}
      />
    )
  if (isServerAway && query.status === 'pending')
    return <EmptyState title={t('end.offline')} hint={t('end.offlineHint')} action={retryButton} />
  return (
    <Suspense>
      <NoRecord dataset={dataset} query={query} retryButton={retryButton} onQuery={onQuery} />
    </Suspense>
  )
}
