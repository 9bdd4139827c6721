import { preloadTypeMessages } from '#i18n/setup.ts'

/** Loads the messages of the overview page. */
export const loadOverviewMessages = (): Promise<void> => preloadTypeMessages('features/overview', 'features/records')
