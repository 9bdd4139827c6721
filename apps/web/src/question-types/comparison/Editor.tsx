import { sidesFor } from '@postil/contract/comparison-sides.ts'
import { use, useMemo } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import { announce } from '#ui/feedback/announcer.ts'
import type { EditorProps } from '../define.ts'
import type { KeyPress } from '../question-keys.ts'
import { LabelOptions } from '../shared/labels/LabelOptions.tsx'
import { useChosenHues } from '../shared/labels/label-hues.ts'
import type { PickedBy } from '../shared/labels/label-options.ts'
import { numbered } from '../shared/options/option-list.ts'
import { pickOne } from '../shared/options/pick.ts'
import { wholeScore } from '../shared/suggestions/scores.ts'
import { ViewerContext } from '../viewer.ts'
import { orderedOptions, type SideOption } from './ordered-options.ts'
import { toggleDifferences } from './shows-differences.ts'

/** Returns whether an arrow key selects an option. With Shift, it selects the stronger option. */
const isFor = (option: SideOption, { key, shift }: KeyPress): boolean => {
  if (option.kind === 'tie' || option.kind === 'bothBad') return key === 'ArrowDown' && shift === (option.kind === 'bothBad')
  return key === (option.kind === 'first' ? 'ArrowLeft' : 'ArrowRight') && option.strength === (shift ? 2 : 1)
}

export const ComparisonEditor = ({
  question,
  answer,
  suggestion,
  onChange,
  labelledBy,
  describedBy,
}: EditorProps<'comparison'>) => {
  const { t } = useTranslation('question-types/comparison')
  const { t: shared } = useTranslation('question-types/shared')
  const { settings } = question
  const viewer = use(ViewerContext)
  const ordered = useMemo(
    () => orderedOptions(settings, viewer ? sidesFor(settings.compare, viewer) : undefined),
    [settings, viewer],
  )
  const options = useMemo(() => {
    const textOf = (option: SideOption): string => {
      const known = settings.options.find(({ value }) => value === option.value)
      const text = known?.text || option.value
      // The texts of a new question's options are the options' values, because settings have no language.
      if (option.kind === 'tie' || option.kind === 'bothBad') return text === option.value ? t(`option.${option.kind}`) : text
      // The option texts in the settings name the fields, and the person must not know which field is on which side.
      // The preview of a new dataset shows these texts, but its fields may not have names yet.
      if (viewer === null && text !== '') return text
      const side = t(`side.${option.kind}`)
      return option.strength === 2 ? t('muchBetter', { side }) : t('better', { side })
    }
    const shown = ordered.map((option) => ({ value: option.value, text: textOf(option), description: null }))
    return numbered(shown)
  }, [ordered, settings.options, viewer, t])

  const pick = (value: string, by: PickedBy): void => {
    const next = pickOne(answer, value)
    onChange(next, { done: next.value !== null, quick: by === 'digit' })
  }

  const onKey = (press: KeyPress): boolean => {
    if (press.ctrl || press.alt) return false
    if (press.key.toLowerCase() === 'd' && !press.shift && viewer !== null) {
      toggleDifferences()
      return true
    }
    const option = press.isOnQuestion ? ordered.find((one) => isFor(one, press)) : undefined
    if (option === undefined) return false
    const text = options.find(({ value }) => value === option.value)?.text ?? option.value
    const isTakenOff = answer.value === option.value && answer.suggested !== option.value
    announce(isTakenOff ? shared('takenOff', { option: text }) : shared('picked', { option: text }))
    pick(option.value, 'digit')
    return true
  }

  return (
    <LabelOptions
      mode="one"
      options={options}
      visible={null}
      isPicked={(value) => answer.value === value}
      isOnlySuggested={(value) => answer.suggested === value}
      scoreOf={(value) => (suggestion?.value === value ? wholeScore(suggestion) : undefined)}
      onPick={pick}
      labelledBy={labelledBy}
      describedBy={describedBy}
      dots={useChosenHues(question.id)}
      onKey={onKey}
    />
  )
}
