import type { QuestionSettingsSlice } from '../define-settings.ts'

/** The options are fixed once the question is created. */
export const ratingSettings: QuestionSettingsSlice<'rating'> = {
  kind: 'rating',
  SettingsForm: null,
  fault: () => null,
  update: () => undefined,
  sample: () => null,
}
