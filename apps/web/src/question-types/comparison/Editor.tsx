import { sidesFor } from '@postil/contract/comparison-sides.ts'
import { use, useMemo } from 'react'
import { useTranslation } from '#i18n/use-translation.ts'
import type { EditorProps } from '../define.ts'
import type { KeyPress } from '../question-keys.ts'
import { LabelOptions } from '../shared/labels/LabelOptions.tsx'
import { useChosenHues } from '../shared/labels/label-hues.ts'
import { oneLabel } from '../shared/labels/one-label.ts'
import { usePickByKey } from '../shared/labels/use-pick-by-key.ts'
import { numbered } from '../shared/options/option-list.ts'
import { ViewerContext } from '../viewer.ts'
import { orderedOptions, type SideOption } from './ordered-options.ts'
import { toggleDifferences } from './shows-differences.ts'

/** Returns whether an arrow key selects the option. An arrow key with Shift selects the stronger option. */
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
      // Texts in the settings aren't translated. If an option's text equals its value, as in a new question, a translation is
      // shown instead.
      if (option.kind === 'tie' || option.kind === 'bothBad') return text === option.value ? t(`option.${option.kind}`) : text
      // In the dataset's settings, the option texts name the fields. Annotators don't see these texts, because they must not know
      // which field is on which side. The preview of a new dataset shows the texts. They are empty until the fields have names.
      if (viewer === null && text !== '') return text
      const side = t(`side.${option.kind}`)
      return option.strength === 2 ? t('muchBetter', { side }) : t('better', { side })
    }
    const shown = ordered.map((option) => ({ value: option.value, text: textOf(option), description: null }))
    return numbered(shown)
  }, [ordered, settings.options, viewer, t])

  const picking = oneLabel({ answer, suggestion, onChange })
  const pickByKey = usePickByKey({ answer, onPick: picking.onPick })

  const onKey = (press: KeyPress): boolean => {
    if (press.ctrl || press.alt) return false
    if (press.key.toLowerCase() === 'd' && !press.shift && viewer !== null) {
      toggleDifferences()
      return true
    }
    const option = press.isOnQuestion ? ordered.find((one) => isFor(one, press)) : undefined
    if (option === undefined) return false
    pickByKey(options.find(({ value }) => value === option.value) ?? { value: option.value, text: '' })
    return true
  }

  return (
    <LabelOptions
      {...picking}
      options={options}
      visible={null}
      labelledBy={labelledBy}
      describedBy={describedBy}
      dots={useChosenHues(question.id)}
      onKey={onKey}
    />
  )
}
