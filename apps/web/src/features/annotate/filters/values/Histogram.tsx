import type { MetadataHistogram } from '@postil/contract/metadata-properties.ts'
import { formatCount, formatNumber } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import styles from './Histogram.module.css'

type Bin = MetadataHistogram['bins'][number]
type Props = {
  /** Null while loading. */
  readonly bins: readonly Bin[] | null
  readonly label: string
  readonly ge: number | null
  readonly le: number | null
}

/** The height of the drawing in its own units. The drawing is stretched to fit. */
const height = 100
const least = 4

/** The distribution of the dataset's values, with the selected range highlighted. */
export const Histogram = ({ bins, label, ge, le }: Props) => {
  const { t } = useTranslation('features/annotate')
  if (bins === null) return <div className={styles['histogram']} />
  const most = bins.reduce((highest, bin) => (bin.count > highest.count ? bin : highest), bins[0] ?? { from: 0, to: 0, count: 0 })
  const words = (bin: Bin): string => {
    const counted = { count: bin.count, formatted: formatCount(bin.count) }
    return bin.from === bin.to
      ? t('filters.bin.one', { ...counted, value: formatNumber(bin.from) })
      : t('filters.bin.range', { ...counted, from: formatNumber(bin.from), to: formatNumber(bin.to) })
  }
  const isOn = (bin: Bin): boolean => (ge === null || bin.to >= ge) && (le === null || bin.from <= le)
  return (
    <svg
      className={styles['histogram']}
      viewBox={`0 0 ${bins.length} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={t('filters.histogram', { title: label, most: words(most) })}
    >
      {bins.map((bin, index) => {
        const bar = bin.count === 0 ? 0 : Math.max(least, (bin.count / most.count) * height)
        return (
          <g key={bin.from} data-on={isOn(bin) ? '' : undefined} className={styles['bin']}>
            <title>{words(bin)}</title>
            <rect className={styles['room']} x={index} y={0} width={1} height={height} />
            <rect className={styles['bar']} x={index + 0.08} y={height - bar} width={0.84} height={bar} />
          </g>
        )
      })}
    </svg>
  )
}
