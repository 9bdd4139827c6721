import { Suspense } from 'react'
import { lazyPart } from '#ui/loading/lazy-part.ts'
import { PlainText } from './PlainText.tsx'

const Markdown = lazyPart(() => import('#lib/markdown/Markdown.tsx').then((module) => ({ default: module.Markdown })))

/** Renders Markdown. The renderer loads when the first text needs it. Until then, the raw text is shown. */
export const LazyMarkdown = ({ text, search }: { readonly text: string; readonly search: string | null }) => (
  <Suspense fallback={<PlainText text={text} search={null} />}>
    <Markdown text={text} search={search} />
  </Suspense>
)
