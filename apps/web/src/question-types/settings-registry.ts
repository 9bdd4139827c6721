import type { QuestionKind } from '@postil/contract/question-types/define.ts'
import type { QuestionSettingsSlice } from './define-settings.ts'
import { labelSelectionSettings } from './label_selection/settings.ts'
import { multiLabelSelectionSettings } from './multi_label_selection/settings.ts'
import { rankingSettings } from './ranking/settings.ts'
import { ratingSettings } from './rating/settings.ts'
import { spanSettings } from './span/settings.ts'
import { textSettings } from './text/settings.ts'

/** The changeable settings of every question kind. Separate from `registry.ts`, because annotators never load it. */
export const questionSettings: { readonly [K in QuestionKind]: QuestionSettingsSlice<K> } = {
  text: textSettings,
  rating: ratingSettings,
  label_selection: labelSelectionSettings,
  multi_label_selection: multiLabelSelectionSettings,
  ranking: rankingSettings,
  span: spanSettings,
}

/** Returns the slice of a kind with its types erased. The caller must pass settings of that kind. */
export const settingsSlice = (kind: QuestionKind): QuestionSettingsSlice<QuestionKind> =>
  questionSettings[kind] as unknown as QuestionSettingsSlice<QuestionKind>
