import type { PublishedQuestionType } from './define.ts'

/** The form of an answer. It determines how files of other programs represent the answer. */
export type AnswerForm = 'text' | 'number' | 'label' | 'labels' | 'order' | 'spans'

const forms: { readonly [T in PublishedQuestionType]: AnswerForm } = {
  text: 'text',
  rating: 'number',
  label_selection: 'label',
  multi_label_selection: 'labels',
  ranking: 'order',
  span: 'spans',
}

/**
 * Returns the form of a question's answers. A question of a kind that exists only in Postil has the published `type` whose
 * answers contain the same values.
 */
export const answerFormOf = ({ type }: { readonly type: PublishedQuestionType }): AnswerForm => forms[type]
