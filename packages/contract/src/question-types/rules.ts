import type { AnswerValue } from '#answer-value.ts'
import type { Reason } from '#wire/message.ts'
import type { CheckOptions, QuestionKind, QuestionRules } from './define.ts'
import type { QuestionSettings, SettingsOf } from './index.ts'
import { labelSelectionRules } from './label_selection.rules.ts'
import { multiLabelSelectionRules } from './multi_label_selection.rules.ts'
import { rankingRules } from './ranking.rules.ts'
import { ratingRules } from './rating.rules.ts'
import { spanRules } from './span.rules.ts'
import { textRules } from './text.rules.ts'

/** The rules of every type without its schemas, small enough for the page. */
export const questionRules: { readonly [K in QuestionKind]: QuestionRules<SettingsOf<K>> } = {
  text: textRules,
  rating: ratingRules,
  label_selection: labelSelectionRules,
  multi_label_selection: multiLabelSelectionRules,
  ranking: rankingRules,
  span: spanRules,
}

/** Why a value is invalid for a question with these settings, or null. */
export const checkAnswerValue = (value: AnswerValue, options: CheckOptions<QuestionSettings>): Reason | null => {
  // The rules are those of the settings' own type, which the union type can't express.
  const rules = questionRules[options.settings.type] as QuestionRules<QuestionSettings>
  return rules.check(value, options)
}
