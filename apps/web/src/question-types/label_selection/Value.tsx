import type { ValueProps } from '../define.ts'
import { LabelValue } from '../shared/labels/LabelValue.tsx'

export const LabelSelectionValue = ({ question, value, other }: ValueProps<'label_selection'>) => (
  <LabelValue
    questionId={question.id}
    options={question.settings.options}
    values={[value]}
    {...(other !== undefined && { others: [other] })}
  />
)
