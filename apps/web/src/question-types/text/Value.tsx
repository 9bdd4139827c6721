import { Suspense } from 'react'
import { lazyPart } from '#ui/loading/lazy-part.ts'
import type { ValueProps } from '../define.ts'
import { RenderedText } from './RenderedText.tsx'

const ComparedText = lazyPart(async () => ({ default: (await import('./parts.ts')).textParts.ComparedText }))

/** Loads the code that marks differing words. Rejects if the network fails. */
export const preloadComparison = ComparedText.preload

export const TextValue = ({ question, value, other }: ValueProps<'text'>) => {
  if (other === undefined || other === value) return <RenderedText text={value} isMarkdown={question.settings.use_markdown} />
  // Compares the Markdown source, because the texts may differ only in formatting.
  return (
    <Suspense fallback={<RenderedText text={value} isMarkdown={false} />}>
      <ComparedText text={value} other={other} />
    </Suspense>
  )
}
