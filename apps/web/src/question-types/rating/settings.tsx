import type { RatingSettings } from '@postil/contract/question-types/rating.ts'
import { useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { Input } from '#ui/controls/Input.tsx'
import type { CreationFormProps, QuestionCreationSlice } from '../define-creation.ts'
import type { QuestionSettingsSlice } from '../define-settings.ts'
import styles from './creation.module.css'

const least = 0
const greatest = 10
/**
 * The scale for a column whose values are all between 1 and 5. Most scales end at 5. If a column has other values, its scale is
 * derived from these values.
 */
const defaultScale = { from: 1, to: 5 }

const isOnScale = (number: number): boolean => Number.isInteger(number) && number >= least && number <= greatest

/** Returns all whole numbers of a scale, or an empty list if the scale is invalid. */
const scale = (from: number, to: number): RatingSettings['options'] =>
  isOnScale(from) && isOnScale(to) ? Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => ({ value: from + i })) : []

const scaleEnds = ['from', 'to'] as const

const CreationForm = ({ settings, fault, onChange }: CreationFormProps<'rating'>) => {
  const { t } = useTranslation('question-types/rating')
  const [typed, setTyped] = useState({
    from: String(settings.options[0]?.value ?? ''),
    to: String(settings.options.at(-1)?.value ?? ''),
  })
  const isOutOfRange = (text: string): boolean => text.trim() === '' || !isOnScale(Number(text))
  const change = (next: typeof typed): void => {
    setTyped(next)
    const isWhole = !scaleEnds.some((end) => isOutOfRange(next[end]))
    onChange({ ...settings, options: isWhole ? scale(Number(next.from), Number(next.to)) : [] })
  }
  /** The error that concerns both inputs. It is shown at the second input. */
  const faultOfBoth = Number(typed.to) < Number(typed.from) ? t('scale.order') : fault
  const isAnyOff = scaleEnds.some((end) => isOutOfRange(typed[end]))
  const faultOf = (end: 'from' | 'to'): string | null => {
    if (isOutOfRange(typed[end])) return t('scale.range', { least, greatest })
    return end === 'to' && !isAnyOff ? faultOfBoth : null
  }
  return (
    <div className={styles['scale']}>
      {scaleEnds.map((end) => (
        <Input
          key={end}
          label={t(`scale.${end}`)}
          error={faultOf(end)}
          type="number"
          inputMode="numeric"
          min={least}
          max={greatest}
          step={1}
          value={typed[end]}
          onChange={(event) => change({ ...typed, [end]: event.target.value })}
        />
      ))}
    </div>
  )
}

export const creation: QuestionCreationSlice<'rating'> = {
  kind: 'rating',
  order: 3,
  initial: ({ values }) => {
    const numbers = (values ?? []).map(Number)
    const isDefaultScale =
      numbers.length > 0 && numbers.every((number) => number >= defaultScale.from && number <= defaultScale.to)
    if (isDefaultScale) return { type: 'rating', options: scale(defaultScale.from, defaultScale.to) }
    const needed = scale(Math.min(defaultScale.from, ...numbers), Math.max(...numbers))
    return { type: 'rating', options: needed.length > 1 ? needed : scale(least, greatest) }
  },
  CreationForm,
  fault: ({ options }) => (options.length < 2 ? 'atLeastTwo' : null),
}

/** The options can't be changed after the question is created. */
export const settings: QuestionSettingsSlice<'rating'> = {
  kind: 'rating',
  SettingsForm: null,
  fault: () => null,
  update: () => undefined,
  sample: () => null,
}
