import { useEffect, useMemo, useRef } from 'react'
import { directionOf, directionOfPart } from '#lib/text/direction.ts'
import { paint } from '#lib/text/highlights.ts'
import { useIgnoredAccents } from '#lib/text/ignored-accents.ts'
import { Paragraphs } from '#lib/text/Paragraphs.tsx'
import { searchMarks } from '#lib/text/search-marks.ts'
import { textRanges } from '#lib/text/text-ranges.ts'
import styles from './PlainText.module.css'

/** Longer text is split at line breaks into parts of about this length. Parts that are out of view aren't drawn. */
const partLength = 4000

/** The maximum length of an unsplit line. Longer lines are split at a space. */
const maxUnsplitLength = 20_000
const blank = /\s/gu

const partEnd = (text: string, start: number): number => {
  const lineBreak = text.length - start > partLength ? text.indexOf('\n', start + partLength) : -1
  const end = lineBreak < 0 ? text.length : lineBreak + 1
  if (end - start <= maxUnsplitLength) return end
  blank.lastIndex = start + maxUnsplitLength
  return blank.test(text) ? Math.min(blank.lastIndex, end) : end
}

const partsOf = (text: string): readonly string[] => {
  const parts: string[] = []
  for (let start = 0; start < text.length; ) {
    const end = partEnd(text, start)
    parts.push(text.slice(start, end))
    start = end
  }
  return parts
}

/** Plain text. Whitespace is preserved, and markup is shown as is. */
export const PlainText = ({ text, search }: { readonly text: string; readonly search: string | null }) => {
  const root = useRef<HTMLDivElement>(null)
  const ignoresAccents = useIgnoredAccents()
  const parts = useMemo(() => partsOf(text), [text])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new text has other matches
  useEffect(() => {
    const shown = root.current
    return shown && search
      ? paint(
          'postil-search',
          textRanges(shown, (content) => searchMarks(content, search, ignoresAccents)),
        )
      : undefined
  }, [search, text, ignoresAccents])
  return (
    <div ref={root} className={styles['text']} dir={directionOf(text)}>
      {parts.length === 1 ? (
        <Paragraphs text={text} />
      ) : (
        parts.map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no ID and keep their order
          <div key={index} className={styles['part']} dir={directionOfPart(part)}>
            <Paragraphs text={part} />
          </div>
        ))
      )}
    </div>
  )
}
