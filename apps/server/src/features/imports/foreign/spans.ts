import type { Span } from '@postil/contract/answer-value.ts'
import { codePointLength } from '@postil/contract/wire/code-points.ts'
import { message, type Reason } from '@postil/contract/wire/message.ts'
import type { Suggested } from './define.ts'

/** A span in a foreign file. `text` is the marked text, if the file repeats it. */
export type ForeignSpan = {
  readonly start: number
  readonly end: number
  readonly label: string
  readonly text?: string | undefined
}

type Slices = (start: number, end: number) => string

/**
 * Converts offsets to code points. Python programs count code points, and JavaScript programs often count UTF-16 code units. If
 * the file repeats the text of each span, this text shows what the offsets count. If it doesn't, the offsets count code points,
 * unless an offset is larger than the text's number of code points.
 */
export const placedSpans = (text: string, spans: readonly ForeignSpan[]): readonly Span[] | { readonly fault: Reason } => {
  const plain = spans.map(({ start, end, label }) => ({ label, start, end }))
  const length = codePointLength(text)
  const characters = length === text.length ? null : [...text]
  const ofCodePoints: Slices = (start, end) =>
    characters === null ? text.slice(start, end) : characters.slice(start, end).join('')
  const ofUnits: Slices = (start, end) => text.slice(start, end)
  const firstWrong = (slice: Slices) => spans.find((one) => one.text !== undefined && slice(one.start, one.end) !== one.text)
  const wrong = firstWrong(ofCodePoints)
  const isBeyond = spans.some(({ end }) => end > length)
  if (wrong === undefined && !isBeyond) return plain
  if (characters !== null && firstWrong(ofUnits) === undefined && spans.every(({ end }) => end <= text.length))
    return plain.map((span) => ({
      ...span,
      start: codePointLength(text.slice(0, span.start)),
      end: codePointLength(text.slice(0, span.end)),
    }))
  const { start, end } = wrong ?? (spans.find((one) => one.end > length) as ForeignSpan)
  return { fault: message('spanMisplaced', { start, end }) }
}

/** A suggestion that consists of spans. @param field the field that contains them */
export const suggestedSpans = (
  spans: readonly Span[],
  field: string,
  origin: Pick<Suggested, 'agent' | 'score'> = {},
): Suggested => ({
  kind: 'span',
  value: spans,
  labels: spans.map(({ label }) => label),
  field,
  ...origin,
})
