import type { Dataset } from '@postil/contract/datasets.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useUser } from '#features/auth/service.ts'
import { problemMessage } from '#lib/api/messages.ts'
import type { AnnotationQuery, RecordFilterStatus } from '#lib/url/grammar.ts'
import { Button } from '#ui/Button.tsx'
import { EmptyState } from '#ui/EmptyState.tsx'
import { progressQuery } from '../api.ts'

type Props = {
  readonly dataset: Dataset
  readonly query: AnnotationQuery
  /** What went wrong when nothing could be fetched; null when there is nothing to show. */
  readonly problem: unknown
  readonly onAgain: () => void
  readonly onStatus: (status: RecordFilterStatus) => void
  readonly onClearSearch: () => void
}

/** Where a list ends, or never began: what is so, what to do, and the button that does it. */
export const QueueEnd = ({ dataset, query, problem, onAgain, onStatus, onClearSearch }: Props) => {
  const { t } = useTranslation('features/annotate')
  const user = useUser()
  const { data: progress } = useQuery(progressQuery(dataset.id))
  const again = <Button onClick={onAgain}>{t('end.again')}</Button>
  if (problem !== null) return <EmptyState title={t('end.failed')} hint={problemMessage(problem)} action={again} />
  if (query.search) {
    const action = <Button onClick={onClearSearch}>{t('end.clearSearch')}</Button>
    return <EmptyState title={t('end.noMatch', { query: query.search.text })} hint={t('end.noMatchHint')} action={action} />
  }
  if (progress?.total === 0) {
    const who = user.role === 'annotator' ? 'annotator' : 'admin'
    if (dataset.status === 'draft') return <EmptyState title={t('end.draft')} hint={t(`end.draftHint.${who}`)} action={again} />
    return <EmptyState title={t('end.empty')} hint={t(`end.emptyHint.${who}`)} action={again} />
  }
  if (query.status === 'pending') {
    const isDone = progress !== undefined && progress.completed === progress.total
    const home = <Link to="/">{t('end.toHome')}</Link>
    return (
      <EmptyState
        title={isDone ? t('end.completed') : t('end.noPending')}
        hint={isDone ? t('end.completedHint') : t('end.noPendingHint')}
        action={isDone ? home : again}
      />
    )
  }
  const toPending = <Button onClick={() => onStatus('pending')}>{t('end.toPending')}</Button>
  return <EmptyState title={t(`end.none.${query.status}`)} hint={t(`end.noneHint.${query.status}`)} action={toPending} />
}
