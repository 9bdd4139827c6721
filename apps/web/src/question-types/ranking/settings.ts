import type { QuestionSettingsSlice } from '../define-settings.ts'

/** Its options are fixed once it is made. */
export const rankingSettings: QuestionSettingsSlice<'ranking'> = {
  kind: 'ranking',
  SettingsForm: null,
  fault: () => null,
  update: () => undefined,
  sample: () => null,
}
