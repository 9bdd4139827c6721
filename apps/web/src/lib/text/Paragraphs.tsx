import { useMemo } from 'react'
import { runsOf } from './direction.ts'

/** A text with its white space, of which each paragraph reads in its own direction. */
export const Paragraphs = ({ text }: { readonly text: string }) => {
  const runs = useMemo(() => runsOf(text), [text])
  if (runs.length === 1) return text
  return runs.map((run, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text have no other name and never change places
    <div key={index} dir={run.direction}>
      {run.text}
    </div>
  ))
}
