import { offeredOptions } from '@postil/contract/question-types/label-changes.ts'
import { useMemo } from 'react'
import type { EditorProps } from '../define.ts'
import { LabelOptions } from '../shared/labels/LabelOptions.tsx'
import { useChosenHues } from '../shared/labels/label-hues.ts'
import { numbered } from '../shared/options/option-list.ts'
import { pickOne } from '../shared/options/pick.ts'
import { wholeScore } from '../shared/suggestions/scores.ts'

export const LabelSelectionEditor = ({
  question,
  answer,
  suggestion,
  onChange,
  labelledBy,
  describedBy,
}: EditorProps<'label_selection'>) => {
  const { settings } = question
  const dots = useChosenHues(question.id)
  const options = useMemo(() => numbered(offeredOptions(settings, (value) => value === answer.value)), [settings, answer.value])
  return (
    <LabelOptions
      mode="one"
      options={options}
      all={settings.options}
      visible={settings.visible_options}
      isPicked={(value) => answer.value === value}
      isOnlySuggested={(value) => answer.suggested === value}
      scoreOf={(value) => (suggestion?.value === value ? wholeScore(suggestion) : undefined)}
      onPick={(value, by) => {
        const next = pickOne(answer, value)
        onChange(next, { done: next.value !== null, quick: by === 'digit' })
      }}
      labelledBy={labelledBy}
      describedBy={describedBy}
      dots={dots}
    />
  )
}
