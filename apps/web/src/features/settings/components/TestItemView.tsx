import { type AnnotationQuery, emptyQuery } from '@postil/contract/annotation-query/grammar.ts'
import { testRecordFault, testRecordSearch } from '@postil/contract/annotation-query/test-records.ts'
import { readViewQuery } from '@postil/contract/annotation-query/view-query.ts'
import type { User } from '@postil/contract/people/users.ts'
import type { SavedView } from '@postil/contract/saved-views.ts'
import { useQuery } from '@tanstack/react-query'
import { useUser } from '#features/auth/public.ts'
import { viewsQuery } from '#features/saved-views/public.ts'
import { formatCount } from '#i18n/format.ts'
import { currentLanguage } from '#i18n/texts.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { problemMessage } from '#lib/api/messages.ts'
import { LabelledSelect } from '#ui/controls/LabelledSelect.tsx'
import { testRecordCountQuery } from '../api.ts'

/** The value that means all records. No view has this ID. */
const allRecords = ''

type Props = {
  readonly datasetId: string
  /** The members of the workspace. */
  readonly users: readonly User[]
  /** The ID of the chosen view; empty for all records. */
  readonly value: string
  readonly onChange: (viewId: string) => void
  /** The stored view, which can be a private view of another person. Null if there is none. */
  readonly stored: { readonly id: string; readonly name: string } | null
}

const byName = (a: SavedView, b: SavedView): number => a.name.localeCompare(b.name, currentLanguage(), { numeric: true })

/**
 * Returns how many of the records that match a query can be test items now, or null if the number isn't known.
 * @param query null if the chosen view can't be found
 */
const useAvailable = (datasetId: string, query: AnnotationQuery | null) => {
  const isUsable = query !== null && testRecordFault(query) === null
  const { data, error } = useQuery({
    ...testRecordCountQuery(datasetId, testRecordSearch(query ?? emptyQuery)),
    enabled: isUsable,
  })
  return isUsable ? { available: data ?? null, error } : { available: null, error: null }
}

export const TestItemView = ({ datasetId, users, value, onChange, stored }: Props) => {
  const { t } = useTranslation('features/settings')
  const user = useUser()
  const { data: views, error: viewsError } = useQuery(viewsQuery(datasetId))
  const chosen = views?.find(({ id }) => id === value)
  const query = value === allRecords ? emptyQuery : chosen ? readViewQuery(chosen.query) : null
  const { available, error } = useAvailable(datasetId, query)
  const optionOf = (view: SavedView) => {
    const { id, name } = view
    const fault = testRecordFault(readViewQuery(view.query))
    if (fault !== null) return { value: id, label: t(`review.${fault}`, { name }), isDisabled: true }
    const author = { id: view.user.id, name: view.user.username }
    const isOfAnnotator = users.some((one) => one.id === author.id && one.role === 'annotator')
    if (isOfAnnotator && id !== stored?.id)
      return { value: id, label: t('review.viewOfAnnotator', { name, author: author.name }), isDisabled: true }
    return { value: id, label: author.id === user.id ? name : t('review.viewOf', { name, author: author.name }) }
  }
  const availableText = (count: number): string =>
    count === 0 ? t('review.viewEmpty') : t('review.viewCount', { count, shown: formatCount(count) })
  const listed = (views ?? []).toSorted(byName).map(optionOf)
  const isListed = stored === null || listed.some((option) => option.value === stored.id)
  const unlisted = isListed
    ? []
    : [{ value: stored.id, label: views === undefined ? stored.name : t('review.viewPrivate', { name: stored.name }) }]
  const problem = viewsError ?? error
  const hints = [
    ...(available === null ? [] : [availableText(available)]),
    ...(views?.length === 0 ? [t('review.viewNone')] : []),
  ]
  return (
    <LabelledSelect
      label={t('review.checksView')}
      value={value}
      options={[{ value: allRecords, label: t('review.viewAll') }, ...unlisted, ...listed]}
      onChange={onChange}
      {...(hints.length > 0 && { hint: hints.join(' ') })}
      fault={problem ? problemMessage(problem) : null}
    />
  )
}
