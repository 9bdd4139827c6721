import { Suspense } from 'react'
import { lazyPart } from '#ui/loading/lazy-part.ts'
import { PlainText } from './PlainText.tsx'

const Markdown = lazyPart(() => import('#lib/markdown/Markdown.tsx').then((module) => ({ default: module.Markdown })))

/** Markdown, whose renderer is loaded with the first text that needs it. Until then, the raw text. */
export const LazyMarkdown = ({ text, search }: { readonly text: string; readonly search: string | null }) => (
  <Suspense fallback={<PlainText text={text} search={null} />}>
    <Markdown text={text} search={search} />
  </Suspense>
)
