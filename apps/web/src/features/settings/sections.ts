/** The parts of the settings page, as the address names them. */
export const sections = ['general', 'fields', 'questions', 'metadata', 'vectors', 'danger'] as const
export type Section = (typeof sections)[number]

export const readSection = (text: unknown): Section => sections.find((section) => section === text) ?? 'general'
