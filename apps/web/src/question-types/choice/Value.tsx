import type { ValueProps } from '../define.ts'
import { TextValue } from '../text/Value.tsx'

/** The chosen option as plain text. */
export const ChoiceValue = ({ question, value, other, fields }: ValueProps<'choice'>) => (
  <TextValue
    question={{ ...question, settings: { type: 'text', use_markdown: false } }}
    value={value}
    fields={fields}
    {...(other !== undefined && { other })}
  />
)
