import type { AnswerValues } from '@postil/contract/answer-value.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import type { SuggestionOutcomes } from '@postil/contract/suggestion-use.ts'
import type { Answers } from '#lib/drafts/draft.ts'
import type { AnswerStatus } from '#lib/outbox/types.ts'
import { answerOf, completenessIn, isOfRecord, missing, outcomesToSend, valuesToSend } from './answers.ts'
import { shownQuestions } from './shown-questions.ts'

/** One action on many records. */
export type BulkAnswer = {
  readonly status: AnswerStatus
  /** The answers to the questions that are answered once for all records. */
  readonly common: Answers
  /** Names of the questions whose suggestions are accepted. */
  readonly accepted: ReadonlySet<string>
}

/** Whether a question's answer in a record's form is a suggestion that nobody has confirmed. */
export const isUnseen = (question: Question, own: Answers): boolean => answerOf(own, question).suggested !== null

type Saved = {
  readonly status: AnswerStatus
  readonly values: AnswerValues
  readonly suggestion_outcomes?: SuggestionOutcomes
}

/**
 * Returns a record's answer in a bulk action:
 * - Questions about the record's own text or options get their answers from the record's form.
 * - Questions whose suggestions are accepted get the suggestions from the record's form.
 * - All other questions get the common answers.
 *
 * When submitting, two kinds of values are left out:
 * - answers to questions that are hidden on the record
 * - unconfirmed suggestions for questions about the record's own text or options, unless the suggestions are accepted
 *
 * @param own the answers in the record's form
 * @returns null if the remaining values lack a required answer
 */
export const bulkAnswerFor = (
  questions: readonly Question[],
  record: AnnotationRecord,
  own: Answers,
  { status, common, accepted }: BulkAnswer,
): Saved | null => {
  const isSubmit = status === 'submitted'
  const isLeftOut = (question: Question): boolean =>
    isSubmit && isOfRecord(question) && isUnseen(question, own) && !accepted.has(question.name)
  const isOwn = (question: Question): boolean => isOfRecord(question) || (accepted.has(question.name) && isUnseen(question, own))
  const answered = questions.filter((question) => !isLeftOut(question))
  const answers: Answers = Object.fromEntries(
    answered.map((question) => [question.name, answerOf(isOwn(question) ? own : common, question)]),
  )
  const all = isSubmit ? shownQuestions(questions, answers, record.metadata) : questions
  if (all.some((question) => question.required && isLeftOut(question))) return null
  const shown = all.filter((question) => !isLeftOut(question))
  if (isSubmit && missing(shown, answers, record.fields).length > 0) return null
  // If the form has no answer to a question, the action doesn't set the outcomes of the question's suggestions.
  const judged = shown.filter((question) => isOwn(question) || completenessIn(answers, question) !== 'empty')
  const suggestion_outcomes = outcomesToSend(judged, record, answers)
  return { status, values: valuesToSend(shown, answers, record.fields), ...(suggestion_outcomes && { suggestion_outcomes }) }
}
