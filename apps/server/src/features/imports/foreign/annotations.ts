import type { AnnotatorMapping } from '@postil/contract/files/imports.ts'
import { message, type Reason } from '@postil/contract/wire/message.ts'
import type { Annotated, ConvertedAnswer, ConvertedComments, ForeignComment, Item, Question } from './define.ts'

/**
 * Returns how a person's annotations are imported. Null if the mapping doesn't name the person. The annotations are then imported
 * as suggestions.
 */
export type ChosenFor = (annotator: string) => AnnotatorMapping | null

export const annotatorChoice = (annotators: readonly AnnotatorMapping[]): ChosenFor => {
  const byName = new Map(annotators.map((one) => [one.name, one]))
  return (annotator) => byName.get(annotator) ?? null
}

/**
 * All questions of a row, beginning with the questions that people answered. A question that several people answered is repeated.
 */
export const questionsIn = ({ questions = [], annotations = [] }: Item): readonly Question[] => [
  ...annotations.flatMap((one) => one.questions),
  ...questions,
]

/**
 * The fault for an annotation whose question has no column. Columns are derived only from the rows that the preview read, so a
 * question that first appears in a later row has none. Without the fault, the answer would be lost.
 */
export const lateReason = (name: string): Reason => message('annotationLate', { name: JSON.stringify(name) })

/**
 * Returns the suggestions of a row. If annotations are imported as suggestions, the values come from the first submitted one.
 * Questions that it doesn't answer get values that don't come from a person, such as predictions.
 */
export const suggestedIn = (
  { questions = [], annotations = [] }: Item,
  chosenFor: ChosenFor,
): { readonly questions: readonly Question[] } | { readonly fault: Reason } => {
  const first = annotations.find(
    ({ annotator, status }) => status === 'submitted' && (chosenFor(annotator)?.as ?? 'suggestions') === 'suggestions',
  )
  if (first?.fault !== undefined) return { fault: first.fault }
  const answered = new Set(first?.questions.map(([name]) => name))
  return { questions: [...(first?.questions ?? []), ...questions.filter(([name]) => !answered.has(name))] }
}

/**
 * Returns the annotations of a row that are imported as answers, the number of annotations that aren't imported, and the
 * annotators for whom no choice was made.
 * @param columnOf returns the column of a question
 */
export const answersIn = (
  { annotations = [] }: Item,
  chosenFor: ChosenFor,
  columnOf: (name: string) => string | undefined,
): Pick<Annotated, 'answers' | 'leftOut' | 'unmapped'> => {
  const chosen = annotations.map((one) => ({ one, choice: chosenFor(one.annotator) }))
  return {
    answers: chosen.flatMap(({ one: { annotator, status, questions, fault, times }, choice }): readonly ConvertedAnswer[] => {
      if (choice?.as !== 'answers') return []
      const late = questions.find(([name]) => columnOf(name) === undefined)
      const reason = late === undefined ? fault : lateReason(late[0])
      const values = new Map(questions.map(([name, one]) => [columnOf(name) ?? '', one.value]))
      const { user_id } = choice
      return [{ annotator, user_id, status, values, missingIsEmpty: true, times, ...(reason !== undefined && { fault: reason }) }]
    }),
    leftOut: chosen.filter(({ choice }) => choice?.as === 'nothing').length,
    unmapped: chosen.flatMap(({ one, choice }) => (choice === null ? [one.annotator] : [])),
  }
}

/**
 * The comments of a row that are imported. A comment is imported if the annotations of its author are imported as answers. Also
 * returns the number of other comments, and the authors for whom no choice was made.
 */
export const commentsIn = (comments: readonly ForeignComment[] = [], chosenFor: ChosenFor): ConvertedComments => {
  const chosen = comments.map((comment) => ({ comment, choice: chosenFor(comment.author) }))
  return {
    comments: chosen.flatMap(({ comment, choice }) =>
      choice?.as === 'answers' ? [{ ...comment, user_id: choice.user_id }] : [],
    ),
    leftOut: chosen.filter(({ choice }) => choice?.as !== 'answers').length,
    unmapped: chosen.flatMap(({ comment, choice }) => (choice === null ? [comment.author] : [])),
  }
}
