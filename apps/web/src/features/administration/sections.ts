import type { UserRole } from '@postil/contract/people/users.ts'

/** The sections of the administration page, as named in the URL. */
export const sections = ['users', 'workspaces', 'webhooks', 'providers', 'jobs', 'instance', 'audit'] as const
export type Section = (typeof sections)[number] | 'members'

/** The sections that a role may use. The first section is shown by default. Annotators have no sections. */
export const sectionsOf = (role: UserRole): readonly Section[] =>
  ({ owner: sections, admin: ['members'] as const, annotator: [] })[role]

export const readSection = (text: unknown, role: UserRole): Section | undefined =>
  sectionsOf(role).find((section) => section === text) ?? sectionsOf(role)[0]
