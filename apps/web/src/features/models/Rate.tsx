import type { AlignmentRate } from '@postil/contract/model-alignment.ts'
import { formatCoefficient } from '#features/overview/public.ts'
import { formatCount, formatPercent } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import styles from './models.module.css'

/** A rate with its interval and the number of values that it is based on. */
export const Rate = ({ rate }: { readonly rate: AlignmentRate | null }) => {
  const { t } = useTranslation('features/models')
  if (rate === null) return <span className={styles['hint']}>–</span>
  const [low = 0, high = 1] = rate.interval
  return (
    <>
      {formatPercent(rate.value)}{' '}
      <span className={styles['hint']}>
        {t('results.rate', { low: formatPercent(low), high: formatPercent(high), n: formatCount(rate.n) })}
      </span>
    </>
  )
}

/** A coefficient with its interval, or a dash. */
export const Coefficient = ({
  value,
  interval = null,
}: {
  readonly value: number | null
  readonly interval?: readonly number[] | null
}) => {
  const { t } = useTranslation('features/models')
  if (value === null) return <span className={styles['hint']}>–</span>
  const [low, high] = interval ?? []
  return (
    <>
      {formatCoefficient(value)}{' '}
      {low !== undefined && high !== undefined && (
        <span className={styles['hint']}>
          {t('results.interval', { low: formatCoefficient(low), high: formatCoefficient(high) })}
        </span>
      )}
    </>
  )
}
