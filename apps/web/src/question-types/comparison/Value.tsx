import type { ValueProps } from '../define.ts'
import { LabelValue } from '../shared/labels/LabelValue.tsx'

export const ComparisonValue = ({ question, value, other }: ValueProps<'comparison'>) => (
  <LabelValue
    questionId={question.id}
    options={question.settings.options}
    values={[value]}
    {...(other !== undefined && { others: [other] })}
  />
)
