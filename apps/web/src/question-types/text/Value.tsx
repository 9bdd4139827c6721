import type { ValueProps } from '../define.ts'
import { RenderedText } from './RenderedText.tsx'

export const TextValue = ({ question, value }: ValueProps<'text'>) => (
  <RenderedText text={value} isMarkdown={question.settings.use_markdown} />
)
