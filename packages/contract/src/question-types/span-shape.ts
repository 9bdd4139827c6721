import type { AnswerValue, Span } from '#answer-value.ts'
import { message } from '#wire/message.ts'
import type { QuestionRules } from './define.ts'

/** Whether a value has the shape of a list of spans. */
export const isSpans = (value: AnswerValue): value is readonly Span[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null && 'label' in item)

/**
 * The rules of span questions that don't depend on the record. The web app uses only these rules until it has loaded the rules
 * that depend on the record.
 */
export const spanShapeRules = {
  hasAgreement: true,
  check: (value) => (isSpans(value) ? null : message('wantsSpans')),
  replaceLabels: (value, replace) => {
    if (!isSpans(value)) return value
    const renamed = value.map((span) => ({ ...span, label: replace(span.label) }))
    return [...new Map(renamed.map((span) => [`${span.start} ${span.end} ${span.label}`, span])).values()]
  },
} satisfies QuestionRules<object>
