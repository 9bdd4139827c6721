import { useMemo } from 'react'
import type { EditorProps } from '../define.ts'
import { LabelOptions } from '../shared/LabelOptions.tsx'
import { useChosenHues } from '../shared/label-hues.ts'
import { numbered } from '../shared/option-list.ts'
import { pickOne } from '../shared/pick.ts'
import { wholeScore } from '../shared/scores.ts'

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
  const options = useMemo(() => numbered(settings.options), [settings.options])
  return (
    <LabelOptions
      mode="one"
      options={options}
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
