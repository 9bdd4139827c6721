import type { Span } from '@postil/contract/answer-value.ts'
import { useMemo } from 'react'
import { offsetsOf } from '#lib/text/offsets.ts'
import type { Range } from '#lib/text/words.ts'
import type { FieldEditorProps } from '../define.ts'
import { itemScore } from '../shared/suggestions/scores.ts'
import { addSpan, relabelSpan, removeSpan, sameSpan, spanKey } from './model.ts'

type Props = Pick<FieldEditorProps<'span'>, 'question' | 'answer' | 'suggestion' | 'onChange'> & { readonly text: string }

/** The spans of an answer, with offsets in UTF-16 units as in the DOM, and the operations on these spans. */
export type Spans = ReturnType<typeof useSpans>

const none: readonly Span[] = []

export const useSpans = ({ question, answer, suggestion, text, onChange }: Props) => {
  const offsets = useMemo(() => offsetsOf(text), [text])
  const inUnits = useMemo(
    () => (spans: readonly Span[] | null) =>
      (spans ?? none).map((span) => ({ label: span.label, start: offsets.toUnit(span.start), end: offsets.toUnit(span.end) })),
    [offsets],
  )
  const spans = useMemo(() => inUnits(answer.value), [inUnits, answer.value])
  const suggested = useMemo(() => inUnits(answer.suggested), [inUnits, answer.suggested])
  const scores = useMemo(() => {
    // Looked up by key: comparing five thousand spans with five thousand others would delay every key press.
    const places = new Map(inUnits(suggestion?.value ?? null).map((span, index) => [spanKey(span), index]))
    return (span: Span): number | null | undefined => {
      const index = places.get(spanKey(span))
      return index === undefined || !suggestion ? undefined : itemScore(suggestion, index)
    }
  }, [inUnits, suggestion])
  const suggestedKeys = useMemo(() => new Set(suggested.map(spanKey)), [suggested])

  const inCodePoints = (list: readonly Span[]): readonly Span[] =>
    list.map((span) => ({ label: span.label, start: offsets.toCodePoint(span.start), end: offsets.toCodePoint(span.end) }))

  /** Changes the answer. The changed span and removed spans are no longer treated as suggested. */
  const change = (next: readonly Span[], changedKeys: Span | null): void => {
    const remaining = new Set(next.map(spanKey))
    const remainingSpans = suggested.filter(
      (span) => !(changedKeys && sameSpan(span, changedKeys)) && remaining.has(spanKey(span)),
    )
    onChange({ value: inCodePoints(next), suggested: remainingSpans.length === 0 ? null : inCodePoints(remainingSpans) })
  }
  const { allow_overlapping } = question.settings

  return {
    spans,
    isOnlySuggested: (span: Span): boolean => suggestedKeys.has(spanKey(span)),
    scoreOf: scores,
    add: ({ start, end }: Range, label: string): Span => {
      const span = { label, start, end }
      change(addSpan(spans, span, allow_overlapping), span)
      return span
    },
    remove: (span: Span): void => change(removeSpan(spans, span), span),
    relabel: (span: Span, label: string): Span => {
      const next = { ...span, label }
      change(relabelSpan(spans, span, label), next)
      return next
    },
    accept: (span: Span): void => change(spans, span),
  }
}
