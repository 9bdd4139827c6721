import type { Span } from '#answer-value.ts'
import { codePointLength } from '#wire/code-points.ts'
import { message } from '#wire/message.ts'
import type { QuestionRules } from './define.ts'
import { notAnOption, optionValues, type WithOptions } from './option-values.ts'
import { isSpans, spanShapeRules } from './span-shape.ts'
import type { SpanText } from './span-text.ts'
import { spanTextOf } from './span-text.ts'

type SpanSettings = WithOptions & { readonly field: string; readonly allow_overlapping: boolean }

const print = ({ label, start, end }: Span) => `${JSON.stringify(label)} (${start}–${end})`

/** Two spans that share a code point, or null. Adjacent spans share none. */
const overlapping = (spans: readonly Span[]): readonly [Span, Span] | null => {
  const sorted = spans.toSorted((a, b) => a.start - b.start || a.end - b.end)
  let furthest = sorted[0]
  for (const span of sorted.slice(1)) {
    if (furthest && span.start < furthest.end) return [furthest, span]
    furthest = span
  }
  return null
}

/** The first span that crosses the end of a message, or null. Offsets count code points. */
const acrossTurns = (spans: readonly Span[], { text, turns }: SpanText): Span | null => {
  if (turns === null) return null
  let reached = 0
  let units = 0
  const ends = turns.map(({ end }) => {
    reached += codePointLength(text.slice(units, end))
    units = end
    return reached
  })
  const isWithin = ({ start, end }: Span) => {
    const turn = ends.findIndex((last) => start < last)
    // The line break between two messages belongs to neither.
    return turn >= 0 && end <= ends[turn]! && (turn === 0 || start > ends[turn - 1]!)
  }
  return spans.find((span) => !isWithin(span)) ?? null
}

/**
 * Offsets count code points in the field's text. The end is exclusive. The text of a chat is its messages joined by line breaks.
 */
export const spanRules: QuestionRules<SpanSettings> = {
  ...spanShapeRules,
  check: (value, { settings, fields }) => {
    if (!isSpans(value)) return message('wantsSpans')
    // An empty list is a valid answer, even if the record has no text.
    if (value.length === 0) return null
    const found = Object.hasOwn(fields, settings.field) ? spanTextOf(fields[settings.field]) : null
    if (found === null) return message('spanNoText', { field: settings.field })
    const length = codePointLength(found.text)
    const labels = optionValues(settings.options)
    for (const span of value) {
      if (!labels.has(span.label)) return notAnOption(span.label, settings.options)
      if (span.start >= length || span.end > length) {
        return message('spanOutside', { span: print(span), field: settings.field, length })
      }
    }
    const crossesTurns = acrossTurns(value, found)
    if (crossesTurns) return `Span ${print(crossesTurns)} extends beyond the end of a message of field \`${settings.field}\``
    const pair = settings.allow_overlapping ? null : overlapping(value)
    return pair && message('spansOverlap', { first: print(pair[0]), second: print(pair[1]) })
  },
}
