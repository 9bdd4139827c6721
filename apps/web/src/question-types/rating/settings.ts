import type { QuestionSettingsSlice } from '../define-settings.ts'

/** Its options are fixed once it is made. */
export const ratingSettings: QuestionSettingsSlice<'rating'> = {
  kind: 'rating',
  SettingsForm: null,
  fault: () => null,
  update: () => undefined,
  sample: () => null,
}
