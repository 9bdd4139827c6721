import type { AnswerValue, Span } from '@postil/contract/answer-value.ts'
import type { SpanSettings } from '@postil/contract/question-types/span.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'
import { defineServerQuestionType, noNumbers, noTerms } from './define.ts'
import { labelSchema } from './model-form.ts'
import { exactMatches, spanF1 } from './similarity.ts'
import { placeQuotes, type Quote, quoteSpans } from './span-quotes.ts'

const isQuote = (one: unknown): one is Quote => {
  const { quote, label, occurrence } = (typeof one === 'object' && one !== null ? one : {}) as { readonly [key: string]: unknown }
  return typeof quote === 'string' && typeof label === 'string' && typeof occurrence === 'number'
}

const similarity = (a: AnswerValue, b: AnswerValue): number => {
  const [spans, others] = [a as readonly Span[], b as readonly Span[]]
  return spanF1(spans.length + others.length, exactMatches(spans, others))
}

export const spanQuestion = defineServerQuestionType({
  kind: 'span',
  model: {
    schema: (settings) => ({
      type: 'array',
      items: {
        type: 'object',
        properties: { quote: { type: 'string' }, label: labelSchema(settings), occurrence: { type: 'integer' } },
        required: ['quote', 'label', 'occurrence'],
        additionalProperties: false,
      },
    }),
    instruction:
      'Give a list of exact quotes from the text, each with the value of an option. If a quote occurs more than once, `occurrence` says which one is meant, starting at 1. The list is empty if there is nothing to mark.',
    read: (answer, settings, fields) => {
      if (!Array.isArray(answer) || !answer.every(isQuote)) return null
      const { field, allow_overlapping } = settings as SpanSettings
      const { spans, from, unmatched } = placeQuotes(answer, fields[field], allow_overlapping)
      return { value: spans, from, unmatched }
    },
    show: (value, settings, fields) =>
      quoteSpans(value as readonly Span[], fields[(settings as SpanSettings).field]) as unknown as JsonValue,
  },
  column: 'json',
  compared: 'spans',
  similarity: () => similarity,
  rightness: () => similarity,
  chosen: (value) => [...new Set((value as readonly JsonValue[] as readonly Span[]).map(({ label }) => label))],
  indexed: 'nothing',
  terms: noTerms,
  numbers: noNumbers,
  sortable: { suggestions: false, responses: false },
})
