import type { AnswerValue, Span } from '@postil/contract/answer-value.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'
import { defineServerQuestionType, noNumbers, noTerms } from './define.ts'
import { exactMatches, spanF1 } from './similarity.ts'

const similarity = (a: AnswerValue, b: AnswerValue): number => {
  const [spans, others] = [a as readonly Span[], b as readonly Span[]]
  return spanF1(spans.length + others.length, exactMatches(spans, others))
}

export const spanQuestion = defineServerQuestionType({
  kind: 'span',
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
