import type { AnswerValue } from '@postil/contract/answer-value.ts'
import { comparableText } from '@postil/contract/comparable-text.ts'
import { type QuestionSettings, questionTypeOf } from '@postil/contract/question-types/index.ts'
import type { JsonValue } from '@postil/contract/wire/json.ts'
import { serverQuestionType } from './registry.ts'

export const hasAgreement = (settings: QuestionSettings): boolean => questionTypeOf(settings).rules.hasAgreement === true

export type TextOf = (answer: AnswerValue) => string

const answerText: TextOf = (answer) => comparableText(answer as JsonValue)

/** Returns a function that computes the text of each answer only once, because answers are compared several times. */
export const rememberTexts = (): TextOf => {
  const texts = new Map<AnswerValue, string>()
  return (answer) => {
    const known = texts.get(answer)
    if (known !== undefined) return known
    const text = answerText(answer)
    texts.set(answer, text)
    return text
  }
}

/**
 * The agreement of the answers to one question of a record: the mean similarity of all pairs, from 0 to 1. Null if there are
 * fewer than two answers or the question has no agreement. The order of the answers makes no difference, not even in the last
 * digit, so that a recount gives the same number.
 * @param textOf returns the same text for equal answers
 */
export const agreementOf = (
  settings: QuestionSettings,
  answers: readonly AnswerValue[],
  textOf: TextOf = answerText,
): number | null => {
  const similarity = serverQuestionType(settings).similarity?.(settings)
  if (similarity === undefined || answers.length < 2) return null
  const distinct = [...Map.groupBy(answers, textOf)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, equal]) => ({ value: equal[0]!, count: equal.length }))
  let sum = 0
  for (const [i, { value, count }] of distinct.entries()) {
    sum += (count * (count - 1)) / 2
    for (const other of distinct.slice(i + 1)) sum += count * other.count * similarity(value, other.value)
  }
  return sum / ((answers.length * (answers.length - 1)) / 2)
}
