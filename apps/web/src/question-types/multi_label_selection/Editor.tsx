import { offeredOptions } from '@postil/contract/question-types/label-changes.ts'
import { useMemo } from 'react'
import type { EditorProps } from '../define.ts'
import { LabelOptions } from '../shared/labels/LabelOptions.tsx'
import { useChosenHues } from '../shared/labels/label-hues.ts'
import { numbered, suggestedFirst } from '../shared/options/option-list.ts'
import { pickMany } from '../shared/options/pick.ts'
import { scoresBy } from '../shared/suggestions/scores.ts'

export const MultiLabelSelectionEditor = ({
  question,
  answer,
  suggestion,
  onChange,
  labelledBy,
  describedBy,
}: EditorProps<'multi_label_selection'>) => {
  const { settings } = question
  const dots = useChosenHues(question.id)
  const scores = useMemo(() => scoresBy(suggestion, String), [suggestion])
  const options = useMemo(() => {
    const natural = numbered(offeredOptions(settings, (value) => answer.value?.includes(value) === true))
    return settings.options_order === 'suggestion' ? suggestedFirst(natural, (value) => scores.get(value)) : natural
  }, [settings, scores, answer.value])
  const picked = new Set(answer.value)
  const suggested = new Set(answer.suggested)
  return (
    <LabelOptions
      mode="many"
      options={options}
      all={settings.options}
      visible={settings.visible_options}
      isPicked={(value) => picked.has(value)}
      isOnlySuggested={(value) => suggested.has(value)}
      scoreOf={(value) => scores.get(value)}
      onPick={(value) => onChange(pickMany(answer, value))}
      labelledBy={labelledBy}
      describedBy={describedBy}
      dots={dots}
    />
  )
}
