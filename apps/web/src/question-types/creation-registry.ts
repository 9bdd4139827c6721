import type { QuestionKind } from '@postil/contract/question-types/define.ts'
import type { QuestionCreationSlice } from './define-creation.ts'
import { labelSelectionCreation } from './label_selection/creation.tsx'
import { multiLabelSelectionCreation } from './multi_label_selection/creation.tsx'
import { rankingCreation } from './ranking/creation.tsx'
import { ratingCreation } from './rating/creation.tsx'
import { spanCreation } from './span/creation.tsx'
import { textCreation } from './text/creation.tsx'

/** Every kind of question says here how it is made. Apart from `registry.ts`: annotators never load it. */
export const questionCreation: { readonly [K in QuestionKind]: QuestionCreationSlice<K> } = {
  label_selection: labelSelectionCreation,
  multi_label_selection: multiLabelSelectionCreation,
  rating: ratingCreation,
  text: textCreation,
  ranking: rankingCreation,
  span: spanCreation,
}

/** The slice of a kind with its own types forgotten: whoever uses it hands it settings of that kind. */
export const creationSlice = (kind: QuestionKind): QuestionCreationSlice<QuestionKind> =>
  questionCreation[kind] as unknown as QuestionCreationSlice<QuestionKind>
