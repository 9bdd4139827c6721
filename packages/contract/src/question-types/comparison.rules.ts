import type { QuestionRules } from './define.ts'
import { labelSelectionRules } from './label_selection.rules.ts'
import type { WithOptions } from './option-values.ts'

/** The same rules as for label questions. */
export const comparisonRules: QuestionRules<WithOptions> = {
  hasAgreement: true,
  hasChoices: true,
  check: (value, options) => labelSelectionRules.check(value, options),
}
