import type { Span } from '@postil/contract/answer-value.ts'

/** Offsets can be in any unit, because these functions only compare them. */

const compareSpans = (a: Span, b: Span): number =>
  a.start - b.start || a.end - b.end || (a.label < b.label ? -1 : a.label > b.label ? 1 : 0)

export const sameSpan = (a: Span, b: Span): boolean => a.start === b.start && a.end === b.end && a.label === b.label

export const spanKey = ({ start, end, label }: Span): string => `${start} ${end} ${label}`

export const startOfKey = (key: string): number => Number.parseInt(key, 10)

const touches = (a: Span, b: Span): boolean => a.start < b.end && b.start < a.end

/** Adds a span. If overlaps aren't allowed, the span replaces all spans that it overlaps. */
export const addSpan = (spans: readonly Span[], span: Span, allowOverlapping: boolean): readonly Span[] =>
  [...spans.filter((other) => (allowOverlapping ? !sameSpan(other, span) : !touches(other, span))), span].toSorted(compareSpans)

export const removeSpan = (spans: readonly Span[], span: Span): readonly Span[] => spans.filter((other) => !sameSpan(other, span))

/** Changes a span's label. If the result equals another span, the two are merged. */
export const relabelSpan = (spans: readonly Span[], span: Span, label: string): readonly Span[] =>
  [...spans.filter((other) => !sameSpan(other, span) && !sameSpan(other, { ...span, label })), { ...span, label }].toSorted(
    compareSpans,
  )

export const spansAt = (spans: readonly Span[], offset: number): readonly Span[] =>
  spans.filter((span) => span.start <= offset && offset < span.end)

/** Returns the first span, in text order, that starts at or after an offset and isn't `current`. */
export const spanAfter = (spans: readonly Span[], current: Span | null, offset: number): Span | null => {
  const sorted = spans.toSorted(compareSpans)
  const at = current ? sorted.findIndex((span) => sameSpan(span, current)) : -1
  return (at >= 0 ? sorted[at + 1] : sorted.find((span) => span.start >= offset)) ?? null
}

export const spanBefore = (spans: readonly Span[], current: Span | null, offset: number): Span | null => {
  const sorted = spans.toSorted(compareSpans)
  const at = current ? sorted.findIndex((span) => sameSpan(span, current)) : -1
  return (at >= 0 ? sorted[at - 1] : sorted.findLast((span) => span.start < offset)) ?? null
}

export type Placed = Span & {
  /** The number of the row below the text in which the span's line and label are drawn. The first row is 0. */
  readonly level: number
}

/** Assigns each span the first row that is free at its position. */
export const placeSpans = (spans: readonly Span[]): readonly Placed[] => {
  const sorted = spans.toSorted((a, b) => a.start - b.start || b.end - a.end || compareSpans(a, b))
  const ends: number[] = []
  return sorted.map((span) => {
    const free = ends.findIndex((end) => end <= span.start)
    const level = free < 0 ? ends.length : free
    ends[level] = span.end
    return { ...span, level }
  })
}

export const rowCount = (placed: readonly Placed[]): number => placed.reduce((most, span) => Math.max(most, span.level + 1), 1)
