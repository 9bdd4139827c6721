import type { RatingSettings } from '@postil/contract/question-types/rating.ts'
import { useState } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { Input } from '#ui/controls/Input.tsx'
import type { CreationFormProps, QuestionCreationSlice } from '../define-creation.ts'
import styles from './creation.module.css'

const least = 0
const greatest = 10
/** A scale that the values of a column fit into, when they do: most end at 5. */
const usualScale = { from: 1, to: 5 }

const isOnScale = (number: number): boolean => Number.isInteger(number) && number >= least && number <= greatest

/** All whole numbers of a scale; none for one that does not exist. */
const scale = (from: number, to: number): RatingSettings['options'] =>
  isOnScale(from) && isOnScale(to) ? Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => ({ value: from + i })) : []

const ends = ['from', 'to'] as const

const CreationForm = ({ settings, fault, onChange }: CreationFormProps<'rating'>) => {
  const { t } = useTranslation('question-types/rating')
  const [typed, setTyped] = useState({
    from: String(settings.options[0]?.value ?? ''),
    to: String(settings.options.at(-1)?.value ?? ''),
  })
  const isOff = (text: string): boolean => text.trim() === '' || !isOnScale(Number(text))
  const change = (next: typeof typed): void => {
    setTyped(next)
    const isWhole = !ends.some((end) => isOff(next[end]))
    onChange({ ...settings, options: isWhole ? scale(Number(next.from), Number(next.to)) : [] })
  }
  /** What is wrong with both together is told at the second. */
  const faultOfBoth = Number(typed.to) < Number(typed.from) ? t('scale.order') : fault
  const isAnyOff = ends.some((end) => isOff(typed[end]))
  const faultOf = (end: 'from' | 'to'): string | null => {
    if (isOff(typed[end])) return t('scale.range', { least, greatest })
    return end === 'to' && !isAnyOff ? faultOfBoth : null
  }
  return (
    <div className={styles['scale']}>
      {ends.map((end) => (
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

export const ratingCreation: QuestionCreationSlice<'rating'> = {
  kind: 'rating',
  initial: ({ values }) => {
    const numbers = (values ?? []).map(Number)
    const isUsual = numbers.length > 0 && numbers.every((number) => number >= usualScale.from && number <= usualScale.to)
    return { type: 'rating', options: isUsual ? scale(usualScale.from, usualScale.to) : scale(least, greatest) }
  },
  CreationForm,
  fault: ({ options }) => (options.length < 2 ? 'atLeastTwo' : null),
}
