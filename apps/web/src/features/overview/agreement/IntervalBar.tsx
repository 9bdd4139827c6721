import { useTranslation } from '#i18n/use-translation.ts'
import { formatCoefficient } from '../parts/format.ts'
import styles from './agreement.module.css'

type Props = {
  readonly value: number
  readonly interval: readonly number[] | null
  /** The lower end of the scale. */
  readonly least: number
}

/** The 95% interval as a bar and the value as a mark, followed by the numbers. */
export const IntervalBar = ({ value, interval, least }: Props) => {
  const { t } = useTranslation('features/overview')
  const placeOf = (number: number): string => `${((Math.max(least, Math.min(1, number)) - least) / (1 - least)) * 100}%`
  const [low = value, high = value] = interval ?? []
  return (
    <span className={styles['interval']}>
      <span className={styles['scale']} aria-hidden="true">
        {least < 0 && <span className={styles['zero']} style={{ insetInlineStart: placeOf(0) }} />}
        {interval && (
          <span
            className={styles['range']}
            style={{ insetInlineStart: placeOf(low), insetInlineEnd: `calc(100% - ${placeOf(high)})` }}
          />
        )}
        <span className={styles['point']} style={{ insetInlineStart: placeOf(value) }} />
      </span>
      <span className={styles['bounds']}>
        {interval ? t('agreement.bounds', { low: formatCoefficient(low), high: formatCoefficient(high) }) : '–'}
      </span>
    </span>
  )
}
