import { message } from '#wire/message.ts'
import type { QuestionRules } from './define.ts'

export const textRules: QuestionRules<object> = {
  check: (value) => (typeof value === 'string' ? null : message('wantsText')),
}
