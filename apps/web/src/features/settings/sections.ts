/** The sections of the settings page, as named in the address. */
export const sections = ['general', 'fields', 'questions', 'metadata', 'vectors', 'review', 'danger'] as const
export type Section = (typeof sections)[number]

export const readSection = (text: unknown): Section => sections.find((section) => section === text) ?? 'general'
