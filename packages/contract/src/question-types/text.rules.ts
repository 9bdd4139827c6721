import type { QuestionRules } from './define.ts'
import type { TextQuestionSettings } from './text.ts'

export const textRules: QuestionRules<TextQuestionSettings> = {
  check: (value) => (typeof value === 'string' ? null : 'This question expects a text value'),
}
