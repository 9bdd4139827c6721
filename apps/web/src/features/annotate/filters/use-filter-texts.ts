import type { Condition, Range, SortKey } from '@postil/contract/annotation-query/grammar.ts'
import type { Question } from '@postil/contract/questions.ts'
import { useQuery } from '@tanstack/react-query'
import { formatList, formatNumber } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { metadataPropertiesQuery } from '#lib/api/dataset-queries.ts'
import { questionSlice } from '#question-types/registry.ts'
import type { FilterPlace } from './filters.ts'

type Options = {
  readonly datasetId: string
  readonly questions: readonly Question[]
  /** Whether titles of metadata properties are needed. */
  readonly includeMetadata: boolean
}

/** Returns the display names of filters and sort keys. A name that the dataset doesn't contain is shown as it is in the URL. */
export const useFilterTexts = ({ datasetId, questions, includeMetadata }: Options) => {
  const { t } = useTranslation('features/annotate')
  const { data: properties } = useQuery({ ...metadataPropertiesQuery(datasetId), enabled: includeMetadata })
  const questionNamed = (name: string) => questions.find((question) => question.name === name)
  const questionTitle = (name: string): string => questionNamed(name)?.title ?? name
  const propertyTitle = (name: string): string => properties?.find((property) => property.name === name)?.title ?? name

  const titleOf = (place: FilterPlace): string =>
    place.kind === 'metadata' ? propertyTitle(place.name) : questionTitle(place.name)

  const rangeText = ({ ge, le }: Range): string => {
    if (ge === undefined) return t('filters.atMost', { to: formatNumber(le ?? 0) })
    if (le === undefined) return t('filters.atLeast', { from: formatNumber(ge) })
    return ge === le ? formatNumber(ge) : t('filters.between', { from: formatNumber(ge), to: formatNumber(le) })
  }

  /** Labels have titles; other values are shown unchanged. */
  const valueText = (place: FilterPlace, value: string): string => {
    const isValue = place.kind === 'response' || (place.kind === 'suggestion' && place.property === 'value')
    const settings = isValue ? questionNamed(place.name)?.settings : undefined
    const filter = settings && questionSlice(settings).valueFilter?.(settings)
    return (filter?.by === 'terms' && filter.options.find((option) => option.value === value)?.text) || value
  }

  const generalSorts: { readonly [name: string]: string } = {
    inserted_at: t('info.insertedAt'),
    updated_at: t('info.updatedAt'),
  }
  const sortTitles: { readonly [E in SortKey['entity']]: (key: SortKey) => string } = {
    record: ({ name }) => generalSorts[name] ?? name,
    metadata: ({ name }) => propertyTitle(name),
    suggestion: ({ name }) => questionTitle(name),
    response: ({ name }) => questionTitle(name),
  }

  return {
    titleOf,
    /**
     * Returns the text between a filter's title and its value. It says what kind of value follows, for example ` · suggested:`.
     * For metadata, it is only a colon.
     */
    kindOf: (place: FilterPlace): string => {
      if (place.kind === 'metadata') return ':'
      return ` · ${place.kind === 'suggestion' ? t(`filters.kind.${place.property}`) : t('filters.kind.answer')}`
    },
    conditionText: (place: FilterPlace, condition: Condition): string =>
      condition.kind === 'range'
        ? rangeText(condition)
        : formatList(
            condition.values.map((value) => valueText(place, value)),
            condition.all,
          ),
    sortTitle: (key: SortKey): string => sortTitles[key.entity](key),
  }
}
export type FilterTexts = ReturnType<typeof useFilterTexts>
