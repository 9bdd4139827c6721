import type { AnswerValue, Span } from '#answer-value.ts'
import { codePointLength } from '#code-points.ts'
import type { QuestionRules } from './define.ts'
import { notAnOption, optionValues } from './option-values.ts'
import type { SpanSettings } from './span.ts'

const isSpans = (value: AnswerValue): value is readonly Span[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'object' && 'label' in item)

const print = ({ label, start, end }: Span) => `${JSON.stringify(label)} (${start}–${end})`

/** Two spans that share a code point, or null; touching spans share none. */
const overlapping = (spans: readonly Span[]): readonly [Span, Span] | null => {
  const sorted = spans.toSorted((a, b) => a.start - b.start || a.end - b.end)
  let furthest = sorted[0]
  for (const span of sorted.slice(1)) {
    if (furthest && span.start < furthest.end) return [furthest, span]
    furthest = span
  }
  return null
}

/** Offsets are code points of the field's text, the end is exclusive. */
export const spanRules: QuestionRules<SpanSettings> = {
  check: (value, { settings, fields }) => {
    if (!isSpans(value)) return 'This question expects a list of spans with label, start and end'
    const text = Object.hasOwn(fields, settings.field) ? fields[settings.field] : undefined
    if (typeof text !== 'string')
      return `The record has no text in field \`${settings.field}\`, which this question marks spans of`
    const length = codePointLength(text)
    const labels = optionValues(settings.options)
    for (const span of value) {
      if (!labels.has(span.label)) return notAnOption(span.label, settings.options)
      if (span.start >= length || span.end > length) {
        return `Span ${print(span)} lies outside of field \`${settings.field}\`, which has ${length} characters`
      }
    }
    const pair = settings.allow_overlapping ? null : overlapping(value)
    return pair && `Spans ${print(pair[0])} and ${print(pair[1])} overlap, which this question does not allow`
  },
}
