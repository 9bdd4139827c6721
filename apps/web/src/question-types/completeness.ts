import type { AnswerValue } from '@postil/contract/answer-value.ts'
import { type SplitLabel, splitLabelsIn } from '@postil/contract/question-types/label-changes.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { JsonObject } from '@postil/contract/wire/json.ts'
import type { Completeness } from './define.ts'
import { questionSlice } from './registry.ts'

type Answered = Pick<Question, 'settings'>

/** Returns the labels in a value that have been split. The author must replace them. */
export const splitLabels = ({ settings }: Answered, value: AnswerValue | null): readonly SplitLabel[] =>
  value === null ? [] : splitLabelsIn(value, settings, questionSlice(settings).rules.replaceLabels)

/**
 * How completely a value answers a question. A value that contains a split label is never complete.
 * @param fields the record's fields, if they are known
 */
export const completenessOf = (question: Answered, value: AnswerValue | null, fields?: JsonObject | null): Completeness => {
  // The value was validated by its question, so it is of that question's type.
  const completeness = questionSlice(question.settings).completeness(value as never, question.settings, fields ?? undefined)
  return completeness === 'complete' && splitLabels(question, value).length > 0 ? 'partial' : completeness
}
