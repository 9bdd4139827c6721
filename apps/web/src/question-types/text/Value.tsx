import type { ValueProps } from '../define.ts'
import { ShownText } from './ShownText.tsx'

export const TextValue = ({ question, value }: ValueProps<'text'>) => (
  <ShownText text={value} isMarkdown={question.settings.use_markdown} />
)
