import type { MetadataProperty } from '@postil/contract/metadata-properties.ts'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from '#i18n/use-translation.ts'
import type { Condition } from '#lib/url/grammar.ts'
import { Button } from '#ui/controls/Button.tsx'
import { ProblemText } from '#ui/feedback/ProblemNotice.tsx'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { metadataHistogramQuery, metadataMetricsQuery } from '../../api.ts'
import { ConditionEditor } from '../bar/ConditionEditor.tsx'
import styles from '../bar/FilterPanel.module.css'
import { hasNumbers, metadataFilter } from '../metadata-filter.ts'

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
  // The bounds can also be set without the histogram.
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
