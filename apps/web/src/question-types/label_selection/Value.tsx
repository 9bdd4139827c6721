import type { ValueProps } from '../define.ts'
import { LabelValue } from '../shared/labels/LabelValue.tsx'

export const LabelSelectionValue = ({ question, value }: ValueProps<'label_selection'>) => (
  <LabelValue questionId={question.id} options={question.settings.options} values={[value]} />
)
