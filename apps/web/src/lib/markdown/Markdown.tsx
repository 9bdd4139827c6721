import type { CSSProperties } from 'react'
import { useMemo, useRef } from 'react'
import { directionOf } from '#lib/text/direction.ts'
import { searchMarks } from '#lib/text/search-marks.ts'
import { useNear } from '#ui/page/use-near.ts'
import styles from './Markdown.module.css'
import type { MarkdownPart } from './parts.ts'
import { markdownParts } from './parts.ts'
import { WholeMarkdown } from './WholeMarkdown.tsx'

type Props = {
  readonly text: string
  /** Words that a search has found. */
  readonly search?: string | null
}

type PartProps = {
  readonly part: MarkdownPart
  readonly isFar: boolean
  readonly search: string | null
  readonly direction: 'ltr' | 'rtl'
}

const lettersPerLine = 70

/** Stands as it was written until it is near. */
const Part = ({ part: { text, heading, definitions }, isFar, search, direction }: PartProps) => {
  const root = useRef<HTMLDivElement>(null)
  const isNear = useNear(root, isFar)
  return (
    <div ref={root} className={styles['part']} style={{ '--lines': Math.ceil(text.length / lettersPerLine) } as CSSProperties}>
      {isNear ? (
        <WholeMarkdown text={heading + text + definitions} search={search} direction={direction} />
      ) : (
        <div className={styles['source']} dir={direction}>
          {text}
        </div>
      )}
    </div>
  )
}

/** Markdown that a stranger wrote, as harmless elements. What is far down in a long text is drawn once it is near; what is found first, at once. */
export const Markdown = ({ text, search = null }: Props) => {
  const direction = useMemo(() => directionOf(text), [text])
  const parts = useMemo(() => markdownParts(text), [text])
  const firstFound = useMemo(
    () => (search ? parts.findIndex((part) => searchMarks(part.text, search).length > 0) : -1),
    [parts, search],
  )
  if (parts.length === 1) return <WholeMarkdown text={text} search={search} direction={direction} />
  return parts.map((part, index) => (
    <Part
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text have no other name and never change places
      key={index}
      part={part}
      isFar={index > 0 && index !== firstFound}
      search={search}
      direction={direction}
    />
  ))
}
