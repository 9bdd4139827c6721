import type { Dataset } from '@postil/contract/datasets.ts'
import type { Field } from '@postil/contract/fields.ts'
import type { Question } from '@postil/contract/questions.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useUser } from '#features/auth/service.ts'
import { GuidesLink } from '#features/guides/service.ts'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { ApiError } from '#lib/api/api-error.ts'
import { queueSettingsQuery } from '#lib/api/dataset-queries.ts'
import { useOnline } from '#lib/net/connection.ts'
import { useOutbox } from '#lib/outbox/use-outbox.ts'
import type { AnnotationQuery, QueryChange } from '#lib/url/grammar.ts'
import { Button } from '#ui/controls/Button.tsx'
import { EmptyState } from '#ui/telling/EmptyState.tsx'
import { ProblemText } from '#ui/telling/ProblemNotice.tsx'
import { metricsQuery, progressQuery } from '../api.ts'
import { isFiltered, noFilters } from '../filters/filters.ts'
import { isRefusedQuery } from '../filters/refused-query.ts'
import { RefusedQuery } from './RefusedQuery.tsx'

type Props = {
  readonly dataset: Dataset
  readonly fields: readonly Field[]
  readonly questions: readonly Question[]
  readonly query: AnnotationQuery
  /** The list is what this device has of it. */
  readonly isAtHand: boolean
  /** What went wrong when nothing could be fetched; null when there is nothing to show. */
  readonly problem: unknown
  readonly onAgain: () => void
  readonly onQuery: (change: QueryChange) => void
}

const everything = { ...noFilters, search: null, similarity: null } as const

/** Where no record fits: by words, by filters, by both, or none that is similar. One button gives the others back. */
const NoMatch = ({ query, onQuery }: Pick<Props, 'query' | 'onQuery'>) => {
  const { t } = useTranslation('features/annotate')
  const { search, similarity } = query
  const filtered = isFiltered(query)
  const clear = (label: string) => <Button onClick={() => onQuery(everything)}>{label}</Button>
  if (similarity && !search && !filtered)
    return <EmptyState title={t('end.noSimilar')} hint={t('end.noSimilarHint')} action={clear(t('similarity.remove'))} />
  if (search && !filtered)
    return (
      <EmptyState
        title={t('end.noMatch', { query: search.text })}
        hint={t('end.noMatchHint')}
        action={clear(t('end.clearSearch'))}
      />
    )
  return (
    <EmptyState
      title={search ? t('end.noFilteredMatch', { query: search.text }) : t('end.noFiltered')}
      hint={t('end.noFilteredHint')}
      action={clear(search ? t('end.clearBoth') : t('end.clearFilters'))}
    />
  )
}

/** A dataset that is empty, or not published yet: whoever may is led to where that is changed. */
const NoRecords = ({ dataset, again }: { readonly dataset: Dataset; readonly again: ReactNode }) => {
  const { t } = useTranslation('features/annotate')
  const params = { datasetId: dataset.id }
  const isDraft = dataset.status === 'draft'
  if (useUser().role === 'annotator') {
    const hint = isDraft ? t('end.draftHint.annotator') : t('end.emptyHint.annotator')
    return <EmptyState title={isDraft ? t('end.draft') : t('end.empty')} hint={hint} action={again} />
  }
  if (isDraft) {
    const goOn = (
      <Link to="/new/{-$datasetId}" params={params}>
        {t('end.goOn')}
      </Link>
    )
    return <EmptyState title={t('end.draft')} hint={t('end.draftHint.admin')} action={goOn} />
  }
  const bringIn = (
    <Link to="/dataset/$datasetId/import" params={params}>
      {t('end.importRecords')}
    </Link>
  )
  const ways = (
    <>
      {bringIn} · <GuidesLink />
    </>
  )
  return <EmptyState title={t('end.empty')} hint={t('end.emptyHint.admin')} action={ways} />
}

type NoneProps = { readonly datasetId: string; readonly again: ReactNode } & Pick<Props, 'onQuery'>

/** Work is left, but none that this person is to be handed: by how records are handed out, or because others have it, or they themselves as drafts. */
const NoneForMe = ({ datasetId, again, onQuery }: NoneProps) => {
  const { t } = useTranslation('features/annotate')
  const { data: settings } = useQuery(queueSettingsQuery(datasetId))
  const { data: mine } = useQuery(metricsQuery(datasetId))
  const most = settings?.max_per_person ?? null
  if (most !== null && mine !== undefined && mine.submitted >= most) {
    const title = t('end.capped', { count: mine.submitted, formatted: formatCount(mine.submitted) })
    return <EmptyState title={title} hint={t('end.cappedHint')} action={<Link to="/">{t('end.toHome')}</Link>} />
  }
  if (mine !== undefined && mine.draft > 0) {
    const count = { count: mine.draft, formatted: formatCount(mine.draft) }
    const toDrafts = <Button onClick={() => onQuery({ status: 'draft' })}>{t('end.toDrafts')}</Button>
    return <EmptyState title={t('end.drafts', count)} hint={t('end.draftsHint')} action={toDrafts} />
  }
  const rest = mine?.left === 0 ? t('end.onlyOthersHint') : t('end.noPendingHint')
  const hint = settings?.assigned ? t('end.assignedHint') : rest
  return <EmptyState title={t('end.noPending')} hint={hint} action={again} />
}

/** Where a list ends, or never began: what is so, what to do, and the button that does it. */
export const QueueEnd = ({ dataset, fields, questions, query, isAtHand, problem, onAgain, onQuery }: Props) => {
  const { t } = useTranslation('features/annotate')
  const { data: progress } = useQuery(progressQuery(dataset.id))
  const { sender } = useOutbox()
  const isOffline = !useOnline()
  // That nothing is left is for the server to say.
  const isAway = isOffline || sender === 'waiting' || isAtHand
  const again = <Button onClick={onAgain}>{t('end.again')}</Button>
  if (isRefusedQuery(problem, query)) {
    const parts = { datasetId: dataset.id, fields, questions, query, problem, onQuery }
    return <RefusedQuery {...parts} />
  }
  const toPending = <Button onClick={() => onQuery({ ...everything, status: 'pending' })}>{t('end.toPending')}</Button>
  const isElsewhere = problem instanceof ApiError && problem.code === 'not_on_device'
  if (problem !== null)
    return <EmptyState title={t('end.failed')} hint={<ProblemText error={problem} />} action={isElsewhere ? toPending : again} />
  if (isAway && query.status === 'pending')
    return <EmptyState title={t('end.offline')} hint={t('end.offlineHint')} action={again} />
  if (query.search || query.similarity || isFiltered(query)) return <NoMatch query={query} onQuery={onQuery} />
  if (progress?.total === 0) return <NoRecords dataset={dataset} again={again} />
  if (query.status === 'pending') {
    if (progress === undefined || progress.completed < progress.total)
      return <NoneForMe datasetId={dataset.id} again={again} onQuery={onQuery} />
    const home = <Link to="/">{t('end.toHome')}</Link>
    return <EmptyState title={t('end.completed')} hint={t('end.completedHint')} action={home} />
  }
  return <EmptyState title={t(`end.none.${query.status}`)} hint={t(`end.noneHint.${query.status}`)} action={toPending} />
}
