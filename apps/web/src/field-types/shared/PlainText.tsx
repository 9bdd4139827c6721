import { useEffect, useMemo, useRef } from 'react'
import { directionOf, directionOfPart } from '#lib/text/direction.ts'
import { paint } from '#lib/text/highlights.ts'
import { Paragraphs } from '#lib/text/Paragraphs.tsx'
import { searchMarks } from '#lib/text/search-marks.ts'
import { textRanges } from '#lib/text/text-ranges.ts'
import styles from './PlainText.module.css'

/** Longer texts are cut at line breaks into parts of about this length; those out of sight are not drawn. */
const partLength = 4000

/** A longer line is cut at a blank. */
const longest = 20_000
const blank = /\s/gu

const partEnd = (text: string, start: number): number => {
  const lineBreak = text.length - start > partLength ? text.indexOf('\n', start + partLength) : -1
  const end = lineBreak < 0 ? text.length : lineBreak + 1
  if (end - start <= longest) return end
  blank.lastIndex = start + longest
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

/** Text as it is: white space kept, nothing in it read as markup. */
export const PlainText = ({ text, search }: { readonly text: string; readonly search: string | null }) => {
  const root = useRef<HTMLDivElement>(null)
  const parts = useMemo(() => partsOf(text), [text])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has other places to mark
  useEffect(() => {
    const shown = root.current
    return shown && search
      ? paint(
          'postil-search',
          textRanges(shown, (content) => searchMarks(content, search)),
        )
      : undefined
  }, [search, text])
  return (
    <div ref={root} className={styles['text']} dir={directionOf(text)}>
      {parts.length === 1 ? (
        <Paragraphs text={text} />
      ) : (
        parts.map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text have no other name and never change places
          <div key={index} className={styles['part']} dir={directionOfPart(part)}>
            <Paragraphs text={part} />
          </div>
        ))
      )}
    </div>
  )
}
