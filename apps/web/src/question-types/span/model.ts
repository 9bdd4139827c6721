import type { Span } from '@postil/contract/answer-value.ts'

/** Spans in one unit of offsets, whichever it is; the functions only compare. */

const byPlace = (a: Span, b: Span): number =>
  a.start - b.start || a.end - b.end || (a.label < b.label ? -1 : a.label > b.label ? 1 : 0)

export const sameSpan = (a: Span, b: Span): boolean => a.start === b.start && a.end === b.end && a.label === b.label

/** The same for equal spans and for no others. */
export const spanKey = ({ start, end, label }: Span): string => `${start} ${end} ${label}`

export const startOfKey = (key: string): number => Number.parseInt(key, 10)

const touches = (a: Span, b: Span): boolean => a.start < b.end && b.start < a.end

/** Adds a span. Where overlapping is not allowed it takes the place of those it shares text with. */
export const addSpan = (spans: readonly Span[], span: Span, allowOverlapping: boolean): readonly Span[] =>
  [...spans.filter((other) => (allowOverlapping ? !sameSpan(other, span) : !touches(other, span))), span].toSorted(byPlace)

export const removeSpan = (spans: readonly Span[], span: Span): readonly Span[] => spans.filter((other) => !sameSpan(other, span))

/** Gives a span another label; where it then is the same as another one, they become one. */
export const relabelSpan = (spans: readonly Span[], span: Span, label: string): readonly Span[] =>
  [...spans.filter((other) => !sameSpan(other, span) && !sameSpan(other, { ...span, label })), { ...span, label }].toSorted(
    byPlace,
  )

export const spansAt = (spans: readonly Span[], offset: number): readonly Span[] =>
  spans.filter((span) => span.start <= offset && offset < span.end)

/** The first span that begins at or after an offset, in order of place, other than `current`. */
export const spanAfter = (spans: readonly Span[], current: Span | null, offset: number): Span | null => {
  const sorted = spans.toSorted(byPlace)
  const at = current ? sorted.findIndex((span) => sameSpan(span, current)) : -1
  return (at >= 0 ? sorted[at + 1] : sorted.find((span) => span.start >= offset)) ?? null
}

export const spanBefore = (spans: readonly Span[], current: Span | null, offset: number): Span | null => {
  const sorted = spans.toSorted(byPlace)
  const at = current ? sorted.findIndex((span) => sameSpan(span, current)) : -1
  return (at >= 0 ? sorted[at - 1] : sorted.findLast((span) => span.start < offset)) ?? null
}

export type Placed = Span & {
  /** The row below the text that its line and label have, from 0. */
  readonly level: number
}

/** Gives every span the first row that is free where it lies. */
export const placeSpans = (spans: readonly Span[]): readonly Placed[] => {
  const sorted = spans.toSorted((a, b) => a.start - b.start || b.end - a.end || byPlace(a, b))
  const ends: number[] = []
  return sorted.map((span) => {
    const free = ends.findIndex((end) => end <= span.start)
    const level = free < 0 ? ends.length : free
    ends[level] = span.end
    return { ...span, level }
  })
}

export const rowCount = (placed: readonly Placed[]): number => placed.reduce((most, span) => Math.max(most, span.level + 1), 1)
