import { preloadMessages } from '#i18n/setup.ts'

const areas = [
  'features/settings',
  ...['shared', 'text', 'rating', 'label_selection', 'multi_label_selection', 'ranking', 'span'].map(
    (slice) => `question-types/${slice}`,
  ),
  ...['text', 'custom'].map((slice) => `field-types/${slice}`),
]

/** Loads the messages of the settings page. */
export const loadSettingsMessages = (): Promise<void> => preloadMessages(...areas)
