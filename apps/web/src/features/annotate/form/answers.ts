import type { AnswerValue, AnswerValues } from '@postil/contract/answer-value.ts'
import type { QuestionKind } from '@postil/contract/question-types/define.ts'
import { checkAnswerValue } from '@postil/contract/question-types/rules.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import type { Suggestion } from '@postil/contract/suggestions.ts'
import type { Answer, Answers } from '#lib/drafts/draft.ts'
import type { Completeness, QuestionSlice, ValueOf } from '#question-types/define.ts'
import { questionSlice } from '#question-types/registry.ts'

export const noAnswer: Answer = { value: null, suggested: null }

/** A value has passed the rules of its question: it is one of that question's kind. */
const asKind = (value: AnswerValue | null): ValueOf[QuestionKind] | null => value as ValueOf[QuestionKind] | null
const sliceOf = (question: Question): QuestionSlice<QuestionKind> => questionSlice(question.settings.type)

/** A value of a question in the form that its editor knows. */
const asMeant = (question: Question, value: AnswerValue): AnswerValue =>
  (sliceOf(question).asMeant?.(value as ValueOf[QuestionKind]) as AnswerValue | undefined) ?? value

const fits = (value: AnswerValue, question: Question, record: AnnotationRecord): boolean =>
  checkAnswerValue(value, { settings: question.settings, submitted: false, fields: record.fields }) === null

/** The suggestion for a question, when its value is one that the question still takes. */
export const suggestionFor = (record: AnnotationRecord, question: Question): Suggestion | null => {
  const found = record.suggestions?.find((suggestion) => suggestion.question_id === question.id)
  if (!found || !fits(found.value, question, record)) return null
  const value = asMeant(question, found.value)
  return value === found.value ? found : { ...found, value }
}

/** A record without an answer starts with what is suggested. */
export const suggestedAnswers = (questions: readonly Question[], record: AnnotationRecord): Answers =>
  Object.fromEntries(
    questions.map((question) => {
      const value = suggestionFor(record, question)?.value ?? null
      return [question.name, { value, suggested: value }]
    }),
  )

/** An answer that was given, whether or not it is on the server yet. */
export const givenAnswers = (questions: readonly Question[], values: AnswerValues): Answers =>
  Object.fromEntries(
    questions.map((question) => {
      const value = Object.hasOwn(values, question.name) ? values[question.name]?.value : undefined
      return [question.name, { value: value === undefined ? null : asMeant(question, value), suggested: null }]
    }),
  )

/** Edits that this device kept, of the questions that were edited. */
export const keptAnswers = (questions: readonly Question[], answers: Answers): Answers => {
  const meant = (question: Question, value: AnswerValue | null) => value && asMeant(question, value)
  const isKept = ({ name }: Question): boolean => Object.hasOwn(answers, name)
  return Object.fromEntries(
    questions.filter(isKept).map((question) => {
      const { value, suggested } = answerOf(answers, question)
      return [question.name, { value: meant(question, value), suggested: meant(question, suggested) }]
    }),
  )
}

export const emptyAnswers = (questions: readonly Question[]): Answers =>
  Object.fromEntries(questions.map((question) => [question.name, noAnswer]))

export const answerOf = (answers: Answers, question: Question): Answer =>
  Object.hasOwn(answers, question.name) ? (answers[question.name] ?? noAnswer) : noAnswer

/** Questions that are answered in a record's own text: no answer to them fits another record. */
export const isInText = (question: Question): boolean => sliceOf(question).inField !== undefined

/** Answers that many records share, with those of one record to what is asked of its own text. */
export const withOwnAnswers = (questions: readonly Question[], common: Answers, own: Answers): Answers =>
  Object.fromEntries(questions.map((question) => [question.name, answerOf(isInText(question) ? own : common, question)]))

export const completenessOf = (question: Question, answers: Answers): Completeness =>
  sliceOf(question).completeness(asKind(answerOf(answers, question).value), question.settings)

/** The questions that stand in the way of a submit: required and not complete, or optional and begun only. */
export const missing = (questions: readonly Question[], answers: Answers): readonly Question[] =>
  questions.filter((question) => {
    const completeness = completenessOf(question, answers)
    return question.required ? completeness !== 'complete' : completeness === 'partial'
  })

/** The value that an answer comes to when it is sent; null when it says nothing, as a list to rank without any rank. */
const valueToSend = (question: Question, answers: Answers): AnswerValue | null => {
  if (completenessOf(question, answers) === 'empty') return null
  const { asSent, untouched } = sliceOf(question)
  const value = asKind(answerOf(answers, question).value) ?? untouched
  return (value === null ? null : (asSent?.(value) ?? value)) as AnswerValue | null
}

/** What is sent: answers that say something. */
export const valuesToSend = (questions: readonly Question[], answers: Answers): AnswerValues =>
  Object.fromEntries(
    questions.flatMap((question) => {
      const value = valueToSend(question, answers)
      return value === null ? [] : [[question.name, { value }]]
    }),
  )

const same = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b)

/** The answers that are not as they were. */
export const changedAnswers = (answers: Answers, before: Answers): Answers =>
  Object.fromEntries(
    Object.entries(answers).filter(([name, answer]) => !same(answer, Object.hasOwn(before, name) ? before[name] : undefined)),
  )

/**
 * Whether two states of a form say the same, so that the server would get the same of both. What is only suggested and what
 * was accepted is the same answer.
 */
export const sameAnswers = (questions: readonly Question[], a: Answers, b: Answers): boolean =>
  questions.every((question) => same(valueToSend(question, a), valueToSend(question, b)))

/** What is in a form, without the mark of what is only suggested where the record's answer says the same. */
export const accepted = (questions: readonly Question[], shown: Answers, given: Answers): Answers => ({
  ...shown,
  ...Object.fromEntries(
    questions.flatMap((question) => {
      const isGiven = answerOf(given, question).suggested === null
      return isGiven && same(valueToSend(question, shown), valueToSend(question, given))
        ? [[question.name, { value: answerOf(shown, question).value, suggested: null }]]
        : []
    }),
  ),
})
