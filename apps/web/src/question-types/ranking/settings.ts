import type { QuestionSettingsSlice } from '../define-settings.ts'

/** The options are fixed once the question is created. */
export const rankingSettings: QuestionSettingsSlice<'ranking'> = {
  kind: 'ranking',
  SettingsForm: null,
  fault: () => null,
  update: () => undefined,
  sample: () => null,
}
