import { defineServerQuestionType } from './define.ts'
import { labelSelectionQuestion } from './label_selection.ts'

/** Filtered, sorted, exported and compared like a label question. */
export const comparisonQuestion = defineServerQuestionType({ ...labelSelectionQuestion, kind: 'comparison' })
