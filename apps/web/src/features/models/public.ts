import { preloadTypeMessages } from '#i18n/setup.ts'

/** Loads the messages of the page about models. */
export const loadModelsMessages = (): Promise<void> =>
  preloadTypeMessages('features/models', 'features/overview', 'features/jobs')
