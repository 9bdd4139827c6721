import type { Span } from '@postil/contract/answer-value.ts'
import type { FileShape } from '@postil/contract/files/files.ts'
import { spanTextOf } from '@postil/contract/question-types/span-text.ts'
import type { Record as RecordPayload } from '@postil/contract/records.ts'
import type { QuestionRow } from '#features/schema/public.ts'
import { type Answer, answersTo } from '../annotations.ts'
import type { ExportContext } from '../context.ts'

export type Annotated = Omit<Answer, 'value'> & {
  readonly text: string
  /** Ordered by position. */
  readonly spans: readonly Span[]
}

const inOrder = (spans: readonly Span[]): readonly Span[] => spans.toSorted((a, b) => a.start - b.start || a.end - b.end)

/** The field whose text contains the spans of a question. */
export const fieldOf = ({ settings }: QuestionRow): string => ('field' in settings ? settings.field : '')

/** Returns the annotations of a record that answer a span question. Each contains the annotated text and its spans. */
export const annotatedTexts = (
  record: RecordPayload,
  question: QuestionRow,
  { context, shape }: { readonly context: ExportContext; readonly shape: FileShape },
): readonly Annotated[] => {
  const text = spanTextOf(record.fields[fieldOf(question)])?.text
  if (text === undefined) return []
  return answersTo(question.name, record, context, shape).map(({ value, ...rest }) => ({
    ...rest,
    text,
    spans: inOrder(value as readonly Span[]),
  }))
}

/** Whether any of these spans overlap. @param spans ordered by position */
export const overlap = (spans: readonly Span[]): boolean => {
  let end = 0
  for (const span of spans) {
    if (span.start < end) return true
    end = Math.max(end, span.end)
  }
  return false
}

/**
 * Removes overlaps: keeps the longest of several overlapping spans, or the first of equally long ones.
 * @param spans ordered by position
 */
export const withoutOverlaps = (spans: readonly Span[]): readonly Span[] => {
  const kept: Span[] = []
  for (const span of spans.toSorted((a, b) => b.end - b.start - (a.end - a.start)))
    if (kept.every(({ start, end }) => span.end <= start || span.start >= end)) kept.push(span)
  return inOrder(kept)
}

/** Spans without whitespace at their edges. Spans that contain only whitespace are left out. */
export const trimmed = (text: string, spans: readonly Span[]): readonly Span[] => {
  if (spans.length === 0) return []
  const characters = Array.from(text)
  const isSpace = (at: number): boolean => /^\s*$/.test(characters[at] ?? '')
  const found = spans.flatMap((span) => {
    let { start, end } = span
    while (start < end && isSpace(start)) start += 1
    while (end > start && isSpace(end - 1)) end -= 1
    return start === end ? [] : [{ ...span, start, end }]
  })
  return inOrder(found)
}
