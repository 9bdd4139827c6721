import { defineServerQuestionType } from './define.ts'
import { labelSelectionQuestion } from './label_selection.ts'

/** Answers are filtered, sorted, exported and compared like answers to a label question. */
export const comparisonQuestion = defineServerQuestionType({ ...labelSelectionQuestion, kind: 'comparison' })
