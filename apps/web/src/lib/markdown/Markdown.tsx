import type { CSSProperties } from 'react'
import { useMemo, useRef } from 'react'
import { directionOf } from '#lib/text/direction.ts'
import { useIgnoredAccents } from '#lib/text/ignored-accents.ts'
import { searchMarks } from '#lib/text/search-marks.ts'
import { useNear } from '#ui/page/use-near.ts'
import styles from './Markdown.module.css'
import type { MarkdownPart } from './parts.ts'
import { markdownParts } from './parts.ts'
import { WholeMarkdown } from './WholeMarkdown.tsx'

type Props = {
  readonly text: string
  /** Search words to highlight. */
  readonly search?: string | null
}

type PartProps = {
  readonly part: MarkdownPart
  readonly isFar: boolean
  readonly search: string | null
  readonly direction: 'ltr' | 'rtl'
}

const lettersPerLine = 70

/** Shows the raw text until the part is near the viewport. */
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

/**
 * Renders untrusted Markdown as sanitized elements. In a long text, each part is rendered when it comes near the viewport. The
 * part with the first search match is rendered immediately.
 */
export const Markdown = ({ text, search = null }: Props) => {
  const direction = useMemo(() => directionOf(text), [text])
  const ignoresAccents = useIgnoredAccents()
  const parts = useMemo(() => markdownParts(text), [text])
  const firstFound = useMemo(
    () => (search ? parts.findIndex((part) => searchMarks(part.text, search, ignoresAccents).length > 0) : -1),
    [parts, search, ignoresAccents],
  )
  if (parts.length === 1) return <WholeMarkdown text={text} search={search} direction={direction} />
  return parts.map((part, index) => (
    <Part
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no ID and keep their order
      key={index}
      part={part}
      isFar={index > 0 && index !== firstFound}
      search={search}
      direction={direction}
    />
  ))
}
