import { Suspense } from 'react'
import { directionOf } from '#lib/text/direction.ts'
import { Paragraphs } from '#lib/text/Paragraphs.tsx'
import { lazyPart } from '#ui/loading/lazy-part.ts'
import styles from './Editor.module.css'

const Markdown = lazyPart(() => import('#lib/markdown/Markdown.tsx').then((module) => ({ default: module.Markdown })))

export const RenderedText = ({ text, isMarkdown }: { readonly text: string; readonly isMarkdown: boolean }) => {
  const plain = (
    <div className={styles['plain']} data-any-length="" dir={directionOf(text)}>
      <Paragraphs text={text} />
    </div>
  )
  if (!isMarkdown) return plain
  return (
    <div className={styles['read']} data-any-length="">
      <Suspense fallback={plain}>
        <Markdown text={text} />
      </Suspense>
    </div>
  )
}
