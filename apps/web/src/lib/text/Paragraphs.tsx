import { useMemo } from 'react'
import { runsOf } from './direction.ts'

/** Text with its whitespace preserved. Each paragraph has its own direction. */
export const Paragraphs = ({ text }: { readonly text: string }) => {
  const runs = useMemo(() => runsOf(text), [text])
  if (runs.length === 1) return text
  return runs.map((run, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no ID and keep their order
    <div key={index} dir={run.direction}>
      {run.text}
    </div>
  ))
}
