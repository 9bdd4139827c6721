import type { QuestionKind } from '@postil/contract/question-types/define.ts'
import type { QuestionSlice } from './define.ts'
import { labelSelectionSlice } from './label_selection/index.ts'
import { multiLabelSelectionSlice } from './multi_label_selection/index.ts'
import { rankingSlice } from './ranking/index.ts'
import { ratingSlice } from './rating/index.ts'
import { spanSlice } from './span/index.ts'
import { textSlice } from './text/index.ts'

/** Every question kind must have its slice here; the type check enforces it. */
export const questionSlices: { readonly [K in QuestionKind]: QuestionSlice<K> } = {
  text: textSlice,
  rating: ratingSlice,
  label_selection: labelSelectionSlice,
  multi_label_selection: multiLabelSelectionSlice,
  ranking: rankingSlice,
  span: spanSlice,
}

/**
 * Returns the slice of a kind with its types erased. The caller must pass settings and values of the same question.
 * @throws Error for a kind that this page doesn't know yet.
 */
export const questionSlice = (kind: QuestionKind): QuestionSlice<QuestionKind> => {
  const slice: unknown = Object.hasOwn(questionSlices, kind) ? questionSlices[kind] : null
  if (!slice) throw new Error(`Question answer for type ${kind} is not implemented yet.`)
  return slice as QuestionSlice<QuestionKind>
}
