import type { AnnotationQuery } from '@postil/contract/annotation-query/grammar.ts'
import type { Dataset } from '@postil/contract/datasets.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useUser } from '#features/auth/public.ts'
import { GuidesLink } from '#features/guides/public.ts'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { queueSettingsQuery } from '#lib/api/dataset-queries.ts'
import type { QueryChange } from '#lib/url/query-change.ts'
import { Button } from '#ui/controls/Button.tsx'
import { EmptyState } from '#ui/feedback/EmptyState.tsx'
import { metricsQuery, progressQuery, stoppedQuery } from '../api.ts'
import { isFiltered, noRestrictions } from '../filters/filters.ts'

type Props = {
  readonly dataset: Dataset
  readonly query: AnnotationQuery
  readonly retryButton: ReactNode
  readonly onQuery: (change: QueryChange) => void
}

/** Whether a search contains `AND`, `OR` or `NOT`. Other search engines treat them as operators, but Postil as ordinary words. */
const usesOperatorWords = (text: string): boolean => /(?:^|[\s()])(?:AND|OR|NOT)(?=[\s()]|$)/u.test(text)

/**
 * Shown when no record matches the search, the filters or both, or when a similarity search finds nothing. One button removes the
 * search and all filters.
 */
const NoMatch = ({ query, onQuery }: Pick<Props, 'query' | 'onQuery'>) => {
  const { t } = useTranslation('features/annotate')
  const { search, similarity } = query
  const filtered = isFiltered(query)
  const clear = (label: string) => <Button onClick={() => onQuery(noRestrictions)}>{label}</Button>
  if (similarity && !search && !filtered)
    return <EmptyState title={t('end.noSimilar')} hint={t('end.noSimilarHint')} action={clear(t('similarity.remove'))} />
  if (search && !filtered)
    return (
      <EmptyState
        title={t('end.noMatch', { query: search.text })}
        hint={usesOperatorWords(search.text) ? t('end.operatorsHint') : t('end.noMatchHint')}
        action={clear(t('end.clearSearch'))}
      />
    )
  return (
    <EmptyState
      title={search ? t('end.noFilteredMatch', { query: search.text }) : t('end.noFiltered')}
      hint={search && usesOperatorWords(search.text) ? t('end.operatorsHint') : t('end.noFilteredHint')}
      action={clear(search ? t('end.clearBoth') : t('end.clearFilters'))}
    />
  )
}

/** Shown for a dataset that is empty or unpublished. Users who can change that get a link. */
const NoRecords = ({ dataset, retryButton }: { readonly dataset: Dataset; readonly retryButton: ReactNode }) => {
  const { t } = useTranslation('features/annotate')
  const params = { datasetId: dataset.id }
  const isDraft = dataset.status === 'draft'
  if (useUser().role === 'annotator') {
    const hint = isDraft ? t('end.draftHint.annotator') : t('end.emptyHint.annotator')
    return <EmptyState title={isDraft ? t('end.draft') : t('end.empty')} hint={hint} action={retryButton} />
  }
  if (isDraft) {
    const continueLink = (
      <Link to="/new/{-$datasetId}" params={params}>
        {t('end.goOn')}
      </Link>
    )
    return <EmptyState title={t('end.draft')} hint={t('end.draftHint.admin')} action={continueLink} />
  }
  const importLink = (
    <Link to="/dataset/$datasetId/import" params={params}>
      {t('end.importRecords')}
    </Link>
  )
  const links = (
    <>
      {importLink} · <GuidesLink />
    </>
  )
  return <EmptyState title={t('end.empty')} hint={t('end.emptyHint.admin')} action={links} />
}

type NoneProps = { readonly datasetId: string; readonly retryButton: ReactNode } & Pick<Props, 'onQuery'>

/**
 * Shown when records are left but none can be assigned to this user. The queue settings may exclude the user, others may hold
 * leases, or the remaining records are the user's own drafts.
 */
const NothingAssigned = ({ datasetId, retryButton, onQuery }: NoneProps) => {
  const { t } = useTranslation('features/annotate')
  const { data: settings } = useQuery(queueSettingsQuery(datasetId))
  const { data: myMetrics } = useQuery(metricsQuery(datasetId))
  const { data: isStopped = false } = useQuery(stoppedQuery(datasetId))
  if (isStopped) return <EmptyState title={t('end.stopped')} hint={t('end.stoppedHint')} action={retryButton} />
  const maxPerPerson = settings?.max_per_person ?? null
  if (maxPerPerson !== null && myMetrics !== undefined && myMetrics.submitted >= maxPerPerson) {
    const title = t('end.capped', { count: myMetrics.submitted, formatted: formatCount(myMetrics.submitted) })
    return <EmptyState title={title} hint={t('end.cappedHint')} action={<Link to="/">{t('end.toHome')}</Link>} />
  }
  if (myMetrics !== undefined && myMetrics.draft > 0) {
    const count = { count: myMetrics.draft, formatted: formatCount(myMetrics.draft) }
    const toDrafts = <Button onClick={() => onQuery({ status: 'draft' })}>{t('end.toDrafts')}</Button>
    return <EmptyState title={t('end.drafts', count)} hint={t('end.draftsHint')} action={toDrafts} />
  }
  const rest = myMetrics?.left === 0 ? t('end.onlyOthersHint') : t('end.noPendingHint')
  const hint = settings?.assigned ? t('end.assignedHint') : rest
  return <EmptyState title={t('end.noPending')} hint={hint} action={retryButton} />
}

/** Shown if the server has no record for the user: the reason and a button for the next step. */
export const NoRecord = ({ dataset, query, retryButton, onQuery }: Props) => {
  const { t } = useTranslation('features/annotate')
  const { data: progress } = useQuery(progressQuery(dataset.id))
  if (query.search || query.similarity || isFiltered(query)) return <NoMatch query={query} onQuery={onQuery} />
  if (progress?.total === 0) return <NoRecords dataset={dataset} retryButton={retryButton} />
  if (query.status === 'pending') {
    if (progress === undefined || progress.completed < progress.total)
      return <NothingAssigned datasetId={dataset.id} retryButton={retryButton} onQuery={onQuery} />
    const home = <Link to="/">{t('end.toHome')}</Link>
    return <EmptyState title={t('end.completed')} hint={t('end.completedHint')} action={home} />
  }
  const toPending = <Button onClick={() => onQuery({ ...noRestrictions, status: 'pending' })}>{t('end.toPending')}</Button>
  return <EmptyState title={t(`end.none.${query.status}`)} hint={t(`end.noneHint.${query.status}`)} action={toPending} />
}
