import type { Span } from '@postil/contract/answer-value.ts'

/** A part of the text that is covered by the same spans throughout, or a gap between two such parts. */
export type ExcerptPart =
  | { readonly kind: 'gap' }
  | { readonly kind: 'text'; readonly text: string; readonly end: number; readonly spans: readonly Span[] }

/** Text up to this length is shown in full. */
const shortText = 400
/** The number of characters that are shown around each span, and the minimum length of a part that is left out. */
const around = 60
const shortestGap = 20

type Range = { readonly start: number; readonly end: number }

/** The ranges of a long text around spans. Ranges that are close to each other are merged. */
const rangesAround = (text: string, spans: readonly Span[]): readonly Range[] => {
  const ranges: Range[] = []
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const range = { start: Math.max(0, start - around), end: Math.min(text.length, end + around) }
    const last = ranges.at(-1)
    if (last && range.start - last.end < shortestGap) ranges[ranges.length - 1] = { ...last, end: Math.max(last.end, range.end) }
    else ranges.push(range)
  }
  return ranges
}

/**
 * Splits text at the ends of its spans. Leaves out the parts of long text that are far from these spans and from `others`. All
 * offsets count UTF-16 units.
 */
export const excerptOf = (text: string, spans: readonly Span[], others: readonly Span[]): readonly ExcerptPart[] => {
  const all = [...spans, ...others]
  const ranges = text.length <= shortText ? [{ start: 0, end: text.length }] : rangesAround(text, all)
  const parts: ExcerptPart[] = []
  let shownTo = 0
  for (const { start, end } of ranges) {
    if (start > shownTo) parts.push({ kind: 'gap' })
    const cuts = new Set([start, end, ...spans.flatMap((span) => [span.start, span.end])])
    const inRange = [...cuts].filter((cut) => cut >= start && cut <= end).sort((a, b) => a - b)
    inRange.slice(1).forEach((to, index) => {
      const from = inRange[index]!
      const covering = spans.filter((span) => span.start <= from && span.end >= to)
      parts.push({ kind: 'text', text: text.slice(from, to), end: to, spans: covering })
    })
    shownTo = end
  }
  if (ranges.length > 0 && shownTo < text.length) parts.push({ kind: 'gap' })
  return parts
}
