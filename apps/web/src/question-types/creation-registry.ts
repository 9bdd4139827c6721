import type { QuestionKind } from '@postil/contract/question-types/define.ts'
import type { QuestionCreationSlice } from './define-creation.ts'
import { labelSelectionCreation } from './label_selection/creation.tsx'
import { multiLabelSelectionCreation } from './multi_label_selection/creation.tsx'
import { rankingCreation } from './ranking/creation.tsx'
import { ratingCreation } from './rating/creation.tsx'
import { spanCreation } from './span/creation.tsx'
import { textCreation } from './text/creation.tsx'

/** How every question kind is created. Separate from `registry.ts`, because annotators never load it. */
export const questionCreation: { readonly [K in QuestionKind]: QuestionCreationSlice<K> } = {
  label_selection: labelSelectionCreation,
  multi_label_selection: multiLabelSelectionCreation,
  rating: ratingCreation,
  text: textCreation,
  ranking: rankingCreation,
  span: spanCreation,
}

/** Returns the slice of a kind with its types erased. The caller must pass settings of that kind. */
export const creationSlice = (kind: QuestionKind): QuestionCreationSlice<QuestionKind> =>
  questionCreation[kind] as unknown as QuestionCreationSlice<QuestionKind>
