import type { ValueProps } from '../define.ts'
import { ComparedText } from '../shared/ComparedText.tsx'
import { RenderedText } from './RenderedText.tsx'

export const TextValue = ({ question, value, other }: ValueProps<'text'>) => {
  if (other === undefined || other === value) return <RenderedText text={value} isMarkdown={question.settings.use_markdown} />
  // Shows the source of Markdown, because formatting may be all that differs.
  return <ComparedText text={value} other={other} />
}
