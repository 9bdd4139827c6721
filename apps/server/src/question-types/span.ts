import type { Span } from '@postil/contract/answer-value.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'
import { defineServerQuestionType, noNumbers, noTerms } from './define.ts'

export const spanQuestion = defineServerQuestionType({
  kind: 'span',
  column: 'json',
  compared: 'spans',
  chosen: (value) => [...new Set((value as readonly JsonValue[] as readonly Span[]).map(({ label }) => label))],
  indexed: 'nothing',
  terms: noTerms,
  numbers: noNumbers,
  sortable: { suggestions: false, responses: false },
})
