import type { Condition } from '@postil/contract/annotation-query/grammar.ts'
import type { MetadataMetrics, MetadataProperty } from '@postil/contract/metadata-properties.ts'
import type { MetadataKind } from '@postil/contract/metadata-types/define.ts'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#i18n/use-translation.ts'
import type { ValueFilter } from '#question-types/value-filter.ts'
import { Button } from '#ui/controls/Button.tsx'
import { ProblemText } from '#ui/feedback/ProblemNotice.tsx'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { metadataHistogramQuery, metadataMetricsQuery } from '../../api.ts'
import { ConditionEditor } from '../bar/ConditionEditor.tsx'
import styles from '../bar/FilterPanel.module.css'

type MetricsOf<K extends MetadataKind> = Extract<MetadataMetrics, { type: K }>

const filters: { readonly [K in MetadataKind]: (metrics: MetricsOf<K>) => ValueFilter } = {
  terms: ({ values }) => ({
    by: 'terms',
    combined: false,
    options: values.map(({ term, count }) => ({ value: term, text: term, count })),
  }),
  integer: ({ min, max }) => ({ by: 'range', min, max, whole: true }),
  float: ({ min, max }) => ({ by: 'range', min, max, whole: false }),
}

/** Whether the values of a kind are numbers, which have a distribution. */
const hasNumbers: { readonly [K in MetadataKind]: boolean } = { terms: false, integer: true, float: true }

const metadataFilter = <K extends MetadataKind>(metrics: MetricsOf<K>): ValueFilter =>
  (filters[metrics.type as K] as (metrics: MetricsOf<K>) => ValueFilter)(metrics)

type Props = {
  readonly property: MetadataProperty
  readonly condition: Condition | null
  readonly onChange: (condition: Condition | null) => void
}

/** The values of a metadata property. */
export const MetadataValues = ({ property, condition, onChange }: Props) => {
  const { t } = useTranslation('features/annotate')
  const { data, error, refetch } = useQuery(metadataMetricsQuery(property.id))
  const isNumber = hasNumbers[property.settings.type]
  const histogram = useQuery({ ...metadataHistogramQuery(property.id), enabled: isNumber })
  // The user can set the bounds even if the histogram isn't available.
  const bins = isNumber && !histogram.error ? (histogram.data?.bins ?? null) : undefined
  if (error) {
    return (
      <div className={styles['problem']}>
        <p>
          <ProblemText error={error} isAlert />
        </p>
        <Button onClick={() => void refetch()}>{t('end.again')}</Button>
      </div>
    )
  }
  if (!data) return <Skeleton height="6lh" />
  return (
    <ConditionEditor filter={metadataFilter(data)} label={property.title} bins={bins} condition={condition} onChange={onChange} />
  )
}
