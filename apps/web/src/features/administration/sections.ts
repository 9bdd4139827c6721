/** The sections of the administration page, as named in the URL. */
export const sections = ['users', 'workspaces', 'webhooks', 'providers', 'jobs', 'instance', 'audit'] as const
export type Section = (typeof sections)[number]

export const readSection = (text: unknown): Section => sections.find((section) => section === text) ?? 'users'
