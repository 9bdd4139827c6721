import type { QuestionKind } from '@postil/contract/question-types/define.ts'
import type { ServerQuestionType } from './define.ts'
import { labelSelectionQuestion } from './label_selection.ts'
import { multiLabelSelectionQuestion } from './multi_label_selection.ts'
import { rankingQuestion } from './ranking.ts'
import { ratingQuestion } from './rating.ts'
import { spanQuestion } from './span.ts'
import { textQuestion } from './text.ts'

/** Exhaustive: a new kind in the contract doesn't compile until its implementation is added here. */
export const serverQuestionTypes: { readonly [K in QuestionKind]: ServerQuestionType<K> } = {
  text: textQuestion,
  rating: ratingQuestion,
  label_selection: labelSelectionQuestion,
  multi_label_selection: multiLabelSelectionQuestion,
  ranking: rankingQuestion,
  span: spanQuestion,
}

export const serverQuestionType = (kind: QuestionKind): ServerQuestionType<QuestionKind> => serverQuestionTypes[kind]
