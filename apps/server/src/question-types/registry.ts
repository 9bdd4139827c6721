import type { QuestionKind } from '@postil/contract/question-types/index.ts'
import { type KindNames, kindIn } from '@postil/contract/wire/kinds.ts'
import type { ServerQuestionType } from './define.ts'
import { labelSelectionQuestion } from './label_selection.ts'
import { multiLabelSelectionQuestion } from './multi_label_selection.ts'
import { rankingQuestion } from './ranking.ts'
import { ratingQuestion } from './rating.ts'
import { spanQuestion } from './span.ts'
import { textQuestion } from './text.ts'

/** Every question type, by its kind. A kind of the contract that is missing here doesn't compile. */
export const serverQuestionTypes: { readonly [K in QuestionKind]: ServerQuestionType<K> } = {
  text: textQuestion,
  rating: ratingQuestion,
  label_selection: labelSelectionQuestion,
  multi_label_selection: multiLabelSelectionQuestion,
  ranking: rankingQuestion,
  span: spanQuestion,
}

/** Returns the question type that settings name. */
export const serverQuestionType = (settings: KindNames): ServerQuestionType<QuestionKind> =>
  serverQuestionTypes[kindIn(serverQuestionTypes, settings)]
