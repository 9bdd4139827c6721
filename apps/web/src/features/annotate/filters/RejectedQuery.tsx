import type { AnnotationQuery } from '@postil/contract/annotation-query/grammar.ts'
import type { Field } from '@postil/contract/fields.ts'
import type { Question } from '@postil/contract/questions.ts'
import { useQuery } from '@tanstack/react-query'
import { formatList } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { metadataPropertiesQuery, vectorsQuery } from '#lib/api/dataset-queries.ts'
import type { QueryChange } from '#lib/url/query-change.ts'
import { Button } from '#ui/controls/Button.tsx'
import { EmptyState } from '#ui/feedback/EmptyState.tsx'
import { ProblemText } from '#ui/feedback/ProblemNotice.tsx'
import { noFilters } from './filters.ts'
import { unknownParts } from './unknown-parts.ts'

type Props = {
  readonly datasetId: string
  readonly fields: readonly Field[]
  readonly questions: readonly Question[]
  readonly query: AnnotationQuery
  readonly problem: unknown
  readonly onQuery: (change: QueryChange) => void
}

const namesOf = (list: readonly { readonly name: string }[]): ReadonlySet<string> => new Set(list.map(({ name }) => name))

/**
 * Shown when the server can't return a list, for example because a link is old. Names the part of the query that no longer exists
 * or gives the server's reason, and offers to remove that part.
 */
export const RejectedQuery = ({ datasetId, fields, questions, query, problem, onQuery }: Props) => {
  const { t } = useTranslation('features/annotate')
  // The cached properties may be older than the change that made the query invalid.
  const properties = useQuery({ ...metadataPropertiesQuery(datasetId), staleTime: 0 })
  const vectors = useQuery({ ...vectorsQuery(datasetId), staleTime: 0 })
  if (properties.isFetching || vectors.isFetching) return null
  const { names, without } = unknownParts(query, {
    fields: namesOf(fields),
    questions: namesOf(questions),
    metadata: namesOf(properties.data ?? []),
    vectors: namesOf(vectors.data ?? []),
  })
  if (names.length > 0) {
    return (
      <EmptyState
        title={t('rejectedQuery.unknown', { count: names.length, names: formatList(names, true) })}
        hint={t('rejectedQuery.unknownHint')}
        action={<Button onClick={() => onQuery(without)}>{t('rejectedQuery.removeUnknown', { count: names.length })}</Button>}
      />
    )
  }
  const hint = <ProblemText error={problem} />
  if (query.similarity) {
    const remove = <Button onClick={() => onQuery({ similarity: null })}>{t('similarity.remove')}</Button>
    return <EmptyState title={t('rejectedQuery.notSimilar')} hint={hint} action={remove} />
  }
  const clear = <Button onClick={() => onQuery({ ...noFilters, sort: [], search: null })}>{t('end.clearFilters')}</Button>
  return <EmptyState title={t('rejectedQuery.rejected')} hint={hint} action={clear} />
}
