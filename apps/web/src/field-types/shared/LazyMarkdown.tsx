import { Suspense } from 'react'
import { lazyPart } from '#ui/waiting/lazy-part.ts'
import { PlainText } from './PlainText.tsx'

const Markdown = lazyPart(() => import('#lib/markdown/Markdown.tsx').then((module) => ({ default: module.Markdown })))

/** Markdown, loaded with the first text that is any; until then the text as it was written. */
export const LazyMarkdown = ({ text, search }: { readonly text: string; readonly search: string | null }) => (
  <Suspense fallback={<PlainText text={text} search={null} />}>
    <Markdown text={text} search={search} />
  </Suspense>
)
