import type { Condition, Range } from '@postil/contract/annotation-query/grammar.ts'
import type { MetadataHistogram } from '@postil/contract/metadata-properties.ts'
import type { CSSProperties } from 'react'
import { useId, useState } from 'react'
import { formatNumber } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import type { ValueFilter } from '#question-types/value-filter.ts'
import { Input } from '#ui/controls/Input.tsx'
import { stepAt, stepsOf, valueAt } from './bounds.ts'
import { Histogram } from './Histogram.tsx'
import styles from './RangeFilter.module.css'

type Bin = MetadataHistogram['bins'][number]
type Props = {
  readonly filter: Extract<ValueFilter, { by: 'range' }>
  readonly label: string
  readonly range: Range | null
  /** The distribution of the numbers. Null while loading, undefined if not available. */
  readonly bins?: readonly Bin[] | null | undefined
  readonly onChange: (condition: Condition | null) => void
}

type Side = 'ge' | 'le'
type Bounds = { readonly ge: number | null; readonly le: number | null }

const boundsOf = (range: Range | null): Bounds => ({ ge: range?.ge ?? null, le: range?.le ?? null })
const crosses = ({ ge, le }: Bounds): boolean => ge !== null && le !== null && ge > le

const conditionOf = ({ ge, le }: Bounds): Range | null =>
  ge === null && le === null ? null : { kind: 'range', ...(ge !== null && { ge }), ...(le !== null && { le }) }

export const RangeFilter = ({ filter, label, range, bins, onChange }: Props) => {
  const { t } = useTranslation('features/annotate')
  const id = useId()
  const key = JSON.stringify(range)
  // Invalid input, such as a minimum above the maximum, isn't applied. It stays in the inputs until the user corrects it.
  const [typed, setTyped] = useState<{ readonly over: string; readonly bounds: Bounds } | null>(null)
  const bounds = typed?.over === key ? typed.bounds : boundsOf(range)
  const isCrossed = crosses(bounds)

  const change = (side: Side, value: number | null): void => {
    const next = { ...bounds, [side]: value }
    setTyped({ over: key, bounds: next })
    if (!crosses(next)) onChange(conditionOf(next))
  }

  const { min, max, whole } = filter
  const scale = min !== null && max !== null && min < max ? { min, max, whole } : null
  const steps = scale ? stepsOf(scale) : 0
  const places = scale && {
    ge: bounds.ge === null ? 0 : stepAt(bounds.ge, scale),
    le: bounds.le === null ? steps : stepAt(bounds.le, scale),
  }
  const slide = (side: Side, step: number): void => {
    if (!scale || !places) return
    const place = side === 'ge' ? Math.min(step, places.le) : Math.max(step, places.ge)
    // A thumb at the end of the track sets no bound, so that records without a number are included.
    const isAtEnd = place === (side === 'ge' ? 0 : steps)
    change(side, isAtEnd ? null : valueAt(place, scale))
  }

  const names: { readonly [S in Side]: string } = { ge: t('filters.from'), le: t('filters.to') }
  return (
    // biome-ignore lint/a11y/useSemanticElements: the enclosing disclosure has the name
    <div role="group" aria-label={label} className={styles['range']}>
      <div className={styles['inputs']}>
        {(['ge', 'le'] as const).map((side) => (
          <Input
            key={side}
            type="number"
            step={whole ? 1 : 'any'}
            inputMode={whole && (min ?? 0) >= 0 ? 'numeric' : 'text'}
            label={names[side]}
            placeholder={scale ? formatNumber(side === 'ge' ? scale.min : scale.max) : undefined}
            value={bounds[side] ?? ''}
            aria-invalid={isCrossed || undefined}
            aria-describedby={isCrossed ? `${id}-crossed` : undefined}
            onChange={({ target }) => change(side, Number.isFinite(target.valueAsNumber) ? target.valueAsNumber : null)}
          />
        ))}
      </div>
      {isCrossed && (
        <p id={`${id}-crossed`} role="alert" className={styles['crossed']}>
          {t('filters.crossed')}
        </p>
      )}
      {scale && bins !== undefined && <Histogram bins={bins} label={label} ge={bounds.ge} le={bounds.le} />}
      {scale && places && (
        <div
          className={styles['slider']}
          data-on={bounds.ge !== null || bounds.le !== null ? '' : undefined}
          style={{ '--from': places.ge / steps, '--to': Math.max(places.ge, places.le) / steps } as CSSProperties}
        >
          <div className={styles['track']} />
          {(['ge', 'le'] as const).map((side) => (
            <input
              key={side}
              type="range"
              min={0}
              max={steps}
              step={1}
              className={styles['thumb']}
              // If both thumbs are at the same end of the track, the thumb that can move away from that end is on top.
              data-above={side === 'ge' && places.ge > steps / 2 ? '' : undefined}
              aria-label={names[side]}
              aria-valuetext={formatNumber(bounds[side] ?? (side === 'ge' ? scale.min : scale.max))}
              value={places[side]}
              onChange={({ target }) => slide(side, target.valueAsNumber)}
            />
          ))}
        </div>
      )}
    </div>
  )
}
