import type { AnswerValue, AnswerValues } from '@postil/contract/answer-value.ts'
import type { Shown } from '@postil/contract/comparison-sides.ts'
import type { QuestionKind } from '@postil/contract/question-types/index.ts'
import { withCurrentLabels } from '@postil/contract/question-types/label-changes.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { Record as AnnotationRecord } from '@postil/contract/records.ts'
import { type SuggestionOutcomes, type SuggestionUse, suggestionOutcome } from '@postil/contract/suggestion-use.ts'
import type { Suggestion } from '@postil/contract/suggestions.ts'
import type { JsonObject } from '@postil/contract/wire/json.ts'
import type { Answer, Answers, StoredUse } from '#lib/drafts/draft.ts'
import { completenessOf } from '#question-types/completeness.ts'
import type { Completeness, QuestionSlice, ValueOf } from '#question-types/define.ts'
import { questionSlice } from '#question-types/registry.ts'
import type { Viewer } from '#question-types/viewer.ts'

export const noAnswer: Answer = { value: null, suggested: null }

/** This cast is safe: the question has validated the value, so the value has the question's type. */
const narrowToKind = (value: AnswerValue | null): ValueOf[QuestionKind] | null => value as ValueOf[QuestionKind] | null
const sliceOf = (question: Question): QuestionSlice<QuestionKind> => questionSlice(question.settings)

/** Converts a question's value to the form that its editor uses. Renamed and merged labels are replaced by the current ones. */
const parseAnswer = (question: Question, value: AnswerValue): AnswerValue => {
  const { rules, normalize } = sliceOf(question)
  const current = withCurrentLabels(value, question.settings, rules.replaceLabels)
  return (normalize?.(current as ValueOf[QuestionKind]) as AnswerValue | undefined) ?? current
}

const isValidFor = (value: AnswerValue, question: Question, record: AnnotationRecord): boolean =>
  sliceOf(question).rules.check(value, { settings: question.settings, submitted: false, fields: record.fields }) === null

/** Returns the suggestion for a question if its value is still valid. */
export const suggestionFor = (record: AnnotationRecord, question: Question): Suggestion | null => {
  const found = record.suggestions?.find((suggestion) => suggestion.question_id === question.id)
  const value = found && parseAnswer(question, found.value)
  if (!found || value === undefined || !isValidFor(value, question, record)) return null
  return value === found.value ? found : { ...found, value }
}

export const suggestedAnswers = (questions: readonly Question[], record: AnnotationRecord): Answers =>
  Object.fromEntries(
    questions.map((question) => {
      const value = suggestionFor(record, question)?.value ?? null
      return [question.name, { value, suggested: value }]
    }),
  )

const storedUse = (outcomes: SuggestionOutcomes | null, { name }: Question): StoredUse => {
  if (outcomes === null) return 'unknown'
  return (Object.hasOwn(outcomes, name) ? outcomes[name] : undefined) ?? 'none'
}

/**
 * Converts the values of an answer to the form's answers. The answer may or may not be on the server yet. A suggestion that was
 * accepted unseen still counts as unconfirmed.
 */
export const answersFromValues = (
  questions: readonly Question[],
  values: AnswerValues,
  outcomes: SuggestionOutcomes | null = null,
): Answers =>
  Object.fromEntries(
    questions.map((question): [string, Answer] => {
      const sent = Object.hasOwn(values, question.name) ? values[question.name]?.value : undefined
      const value = sent === undefined ? null : parseAnswer(question, sent)
      const stored = storedUse(outcomes, question)
      const isUnseen = typeof stored === 'object' && stored.outcome === 'accepted_unseen'
      return [question.name, { value, suggested: isUnseen ? value : null, stored }]
    }),
  )

/** Returns the edits that are stored on this device. Contains only the questions that were edited. */
export const answersFromDraft = (questions: readonly Question[], answers: Answers): Answers => {
  const parsed = (question: Question, value: AnswerValue | null) => value && parseAnswer(question, value)
  const isSuggested = ({ name }: Question): boolean => Object.hasOwn(answers, name)
  return Object.fromEntries(
    questions.filter(isSuggested).map((question) => {
      const { value, suggested, ...rest } = answerOf(answers, question)
      return [question.name, { ...rest, value: parsed(question, value), suggested: parsed(question, suggested) }]
    }),
  )
}

export const emptyAnswers = (questions: readonly Question[]): Answers =>
  Object.fromEntries(questions.map((question) => [question.name, noAnswer]))

export const answerOf = (answers: Answers, question: Question): Answer =>
  Object.hasOwn(answers, question.name) ? (answers[question.name] ?? noAnswer) : noAnswer

/**
 * Whether answers to a question apply to only one record, because they refer to the record's text or to options in the record.
 */
export const isOfRecord = (question: Question): boolean => {
  const slice = sliceOf(question)
  return slice.isOfRecord === true || slice.fieldEditing !== undefined
}

/** Combines shared answers with one record's own answers. The own answers are used for questions that depend on the record. */
export const withOwnAnswers = (questions: readonly Question[], common: Answers, own: Answers): Answers =>
  Object.fromEntries(questions.map((question) => [question.name, answerOf(isOfRecord(question) ? own : common, question)]))

/** @param fields the record's fields, if they are known */
export const completenessIn = (answers: Answers, question: Question, fields?: JsonObject): Completeness =>
  completenessOf(question, answerOf(answers, question).value, fields)

/** Returns the questions that prevent submitting: required but incomplete, or optional but only partly answered. */
export const missing = (questions: readonly Question[], answers: Answers, fields?: JsonObject): readonly Question[] =>
  questions.filter((question) => {
    const completeness = completenessIn(answers, question, fields)
    return question.required ? completeness !== 'complete' : completeness === 'partial'
  })

/** Returns the value to send for an answer. Null if it is empty, such as a ranking without any rank. */
const valueToSend = (question: Question, answers: Answers, fields?: JsonObject): AnswerValue | null => {
  if (completenessIn(answers, question, fields) === 'empty') return null
  const { toWire, untouched } = sliceOf(question)
  const value = narrowToKind(answerOf(answers, question).value) ?? untouched
  return (value === null ? null : (toWire?.(value) ?? value)) as AnswerValue | null
}

/** Returns the answers to send. Empty answers are left out. @param fields the record's fields, if they are known */
export const valuesToSend = (questions: readonly Question[], answers: Answers, fields?: JsonObject): AnswerValues =>
  Object.fromEntries(
    questions.flatMap((question) => {
      const value = valueToSend(question, answers, fields)
      return value === null ? [] : [[question.name, { value }]]
    }),
  )

/**
 * Returns the outcome of a question's suggestion. For an unchanged answer, this is the stored outcome. For an edited answer, it
 * is determined by comparing the value with the suggestion. Null if there is no suggestion.
 */
export const suggestionUseOf = (
  question: Question,
  answer: Answer,
  suggestion: Suggestion | null,
): SuggestionUse | 'unknown' | null => {
  if (answer.stored !== undefined) return answer.stored === 'none' ? null : answer.stored
  if (suggestion === null) return null
  const value = valueToSend(question, { [question.name]: answer })
  return { outcome: suggestionOutcome(value, suggestion.value, { isSeen: answer.suggested === null }), agent: suggestion.agent }
}

/**
 * Returns what the user did with each suggestion (for example, accepted it), to be sent with the answers to a record. Undefined
 * if this is unknown. The server then keeps the stored outcomes.
 */
export const outcomesToSend = (
  questions: readonly Question[],
  record: AnnotationRecord,
  answers: Answers,
): SuggestionOutcomes | undefined => {
  const uses = questions.map((question) => {
    const use = suggestionUseOf(question, answerOf(answers, question), suggestionFor(record, question))
    return [question.name, use] as const
  })
  const known = uses.filter((entry): entry is [string, SuggestionUse] => typeof entry[1] === 'object' && entry[1] !== null)
  return known.length === 0 && uses.some(([, use]) => use === 'unknown') ? undefined : Object.fromEntries(known)
}

/**
 * Returns the order in which the user saw the fields of each answered comparison question. Empty if no comparison question was
 * answered.
 */
export const shownTo = (questions: readonly Question[], values: AnswerValues, viewer: Viewer): { readonly shown?: Shown } => {
  const shown = questions.flatMap(({ name, settings }) => {
    const { comparing } = questionSlice(settings)
    return comparing && Object.hasOwn(values, name) ? [[name, comparing.sidesOf(settings, viewer)] as const] : []
  })
  return shown.length === 0 ? {} : { shown: Object.fromEntries(shown) }
}

const isSameValue = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b)

/** Returns the answers that have changed. */
export const pickChangedAnswers = (answers: Answers, before: Answers): Answers =>
  Object.fromEntries(
    Object.entries(answers).filter(
      ([name, answer]) => !isSameValue(answer, Object.hasOwn(before, name) ? before[name] : undefined),
    ),
  )

const isConfirmed = (question: Question, answers: Answers): boolean => answerOf(answers, question).suggested === null

/**
 * Whether two states of a form would send the same answers to the server. A suggestion and its confirmed value differ, because
 * the server stores whether it was confirmed.
 */
export const areSameAnswers = (questions: readonly Question[], a: Answers, b: Answers): boolean =>
  questions.every(
    (question) =>
      isSameValue(valueToSend(question, a), valueToSend(question, b)) && isConfirmed(question, a) === isConfirmed(question, b),
  )

/**
 * Returns the answers to show in a form after its answers were stored. If a shown value equals the stored one, the result has the
 * details of the stored answer. Suggestions that the user has confirmed since the answers were sent stay confirmed.
 */
export const markStored = (questions: readonly Question[], shown: Answers, given: Answers): Answers => ({
  ...shown,
  ...Object.fromEntries(
    questions.flatMap((question): [string, Answer][] => {
      const [before, after] = [answerOf(shown, question), answerOf(given, question)]
      const isGiven = isSameValue(valueToSend(question, shown), valueToSend(question, given))
      const wasConfirmedSince = before.suggested === null && after.suggested !== null
      if (!isGiven || wasConfirmedSince) return []
      const suggested = after.suggested === null ? null : before.suggested
      return [[question.name, { ...after, value: before.value, suggested }]]
    }),
  ),
})
