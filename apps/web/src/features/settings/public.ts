import { preloadTypeMessages } from '#i18n/setup.ts'

/** Loads the messages of the settings page. */
export const loadSettingsMessages = (): Promise<void> =>
  preloadTypeMessages('features/settings', 'features/conditions', 'features/assignments', 'question-types/shared/options')
