import type { ValueProps } from '../define.ts'
import { LabelValue } from '../shared/labels/LabelValue.tsx'

export const MultiLabelSelectionValue = ({ question, value, score, other }: ValueProps<'multi_label_selection'>) => (
  <LabelValue
    questionId={question.id}
    options={question.settings.options}
    values={value}
    {...(score !== undefined && { score })}
    {...(other !== undefined && { others: other })}
  />
)
