import type { QuestionKind } from '@postil/contract/question-types/index.ts'
import { type KindNames, kindIn } from '@postil/contract/wire/kinds.ts'
import { choiceQuestion } from './choice.ts'
import { comparisonQuestion } from './comparison.ts'
import type { ServerQuestionType } from './define.ts'
import { labelSelectionQuestion } from './label_selection.ts'
import { multiLabelSelectionQuestion } from './multi_label_selection.ts'
import { rankingQuestion } from './ranking.ts'
import { ratingQuestion } from './rating.ts'
import { spanQuestion } from './span.ts'
import { textQuestion } from './text.ts'
import { turnsQuestion } from './turns.ts'

/** All question types, keyed by kind. If a kind of the contract is missing here, compilation fails. */
export const serverQuestionTypes: { readonly [K in QuestionKind]: ServerQuestionType<K> } = {
  text: textQuestion,
  rating: ratingQuestion,
  label_selection: labelSelectionQuestion,
  multi_label_selection: multiLabelSelectionQuestion,
  ranking: rankingQuestion,
  span: spanQuestion,
  comparison: comparisonQuestion,
  turns: turnsQuestion,
  choice: choiceQuestion,
}

/** Returns the question type for a question's settings. */
export const serverQuestionType = (settings: KindNames): ServerQuestionType<QuestionKind> =>
  serverQuestionTypes[kindIn(serverQuestionTypes, settings)]
