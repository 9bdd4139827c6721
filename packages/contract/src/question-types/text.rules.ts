import type { QuestionRules } from './define.ts'

export const textRules: QuestionRules<object> = {
  check: (value) => (typeof value === 'string' ? null : 'This question expects a text value'),
}
