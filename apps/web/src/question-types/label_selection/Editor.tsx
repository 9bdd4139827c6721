import { offeredOptions } from '@postil/contract/question-types/label-changes.ts'
import { useMemo } from 'react'
import type { EditorProps } from '../define.ts'
import { LabelOptions } from '../shared/labels/LabelOptions.tsx'
import { useChosenHues } from '../shared/labels/label-hues.ts'
import { oneLabel } from '../shared/labels/one-label.ts'
import { numbered } from '../shared/options/option-list.ts'

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
      {...oneLabel({ answer, suggestion, onChange })}
      options={options}
      all={settings.options}
      visible={settings.visible_options}
      labelledBy={labelledBy}
      describedBy={describedBy}
      dots={dots}
    />
  )
}
