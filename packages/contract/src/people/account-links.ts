import { z } from 'zod'
import { defineEndpoint } from '../wire/define-endpoint.ts'
import { maxUniqueName } from '../wire/limits.ts'
import { itemsOf, printedDatetime, printedUuid, text, uuid } from '../wire/scalars.ts'
import { Session } from './auth.ts'
import { newPassword, User, UserRole } from './users.ts'

const Named = z.strictObject({ id: printedUuid(), name: z.string() })
const Person = z.strictObject({ id: printedUuid(), username: z.string() })

/** An open invitation. The user exists only after the invitation has been accepted. */
export const Invitation = z.strictObject({
  id: printedUuid(),
  /** The suggested username. Invited people can change it. */
  username: z.string(),
  first_name: z.string(),
  last_name: z.string().nullable(),
  role: UserRole,
  workspaces: z.array(Named),
  /** Who made the current link. */
  invited_by: Person,
  inserted_at: printedDatetime(),
  /** When the link expires. In the past for an invitation that has expired. */
  expires_at: printedDatetime(),
})
export type Invitation = z.infer<typeof Invitation>

/** An invitation with its link, which is returned only once. The server stores only a hash of the token in the link. */
export const InvitationLink = Invitation.extend({ link: z.string() })
export type InvitationLink = z.infer<typeof InvitationLink>

const name = text({ trim: true, min: 1 })
const username = text({ min: 1, max: maxUniqueName })
const maxWorkspaces = 1000

export const InvitationCreate = z.object({
  username,
  first_name: name,
  last_name: name.nullish(),
  role: UserRole.nullish().transform((role): UserRole => role ?? 'annotator'),
  workspace_ids: z.array(uuid()).max(maxWorkspaces),
})
export type InvitationCreate = z.infer<typeof InvitationCreate>

const token = text({ keep: false })

/** What an invited person sees before accepting. */
export const OpenInvitation = z.strictObject({
  username: z.string(),
  first_name: z.string(),
  role: UserRole,
  /** Names of the workspaces. */
  workspaces: z.array(z.string()),
  expires_at: printedDatetime(),
})
export type OpenInvitation = z.infer<typeof OpenInvitation>

export const listInvitations = defineEndpoint({
  id: 'invitations.list',
  method: 'GET',
  path: '/invitations',
  result: itemsOf(Invitation),
  errors: [403],
  addition: true,
  summary: 'List the open invitations that the caller may manage, newest first',
})
export const createInvitation = defineEndpoint({
  id: 'invitations.create',
  method: 'POST',
  path: '/invitations',
  body: InvitationCreate,
  status: 201,
  result: InvitationLink,
  errors: [403, 409],
  addition: true,
  summary: 'Invite a person and get a link that works once',
})
export const renewInvitation = defineEndpoint({
  id: 'invitations.renew',
  method: 'POST',
  path: '/invitations/:invitation_id/link',
  result: InvitationLink,
  errors: [403, 404],
  addition: true,
  summary: 'Replace the link of an invitation; the old link stops working at once',
})
export const deleteInvitation = defineEndpoint({
  id: 'invitations.delete',
  method: 'DELETE',
  path: '/invitations/:invitation_id',
  result: Invitation,
  errors: [403, 404],
  addition: true,
  summary: 'Revoke an invitation',
})
export const readInvitation = defineEndpoint({
  id: 'invitations.read',
  method: 'POST',
  path: '/invitations/read',
  access: 'none',
  body: z.object({ token }),
  result: OpenInvitation,
  errors: [401, 403, 429],
  addition: true,
  summary: 'Get the invitation that a link belongs to',
})
export const acceptInvitation = defineEndpoint({
  id: 'invitations.accept',
  method: 'POST',
  path: '/invitations/accept',
  access: 'none',
  body: z.object({ token, username, password: newPassword }),
  status: 201,
  result: Session,
  errors: [401, 403, 409, 429],
  addition: true,
  summary: 'Accept an invitation: create the user, sign in the browser and set the session cookie',
})

/** An open link for setting a new password. A user has at most one. */
export const PasswordLink = z.strictObject({
  user: Person,
  created_by: Person,
  inserted_at: printedDatetime(),
  expires_at: printedDatetime(),
})
export type PasswordLink = z.infer<typeof PasswordLink>

export const NewPasswordLink = PasswordLink.extend({ link: z.string() })
export type NewPasswordLink = z.infer<typeof NewPasswordLink>

export const OpenPasswordLink = z.strictObject({ username: z.string(), expires_at: printedDatetime() })
export type OpenPasswordLink = z.infer<typeof OpenPasswordLink>

export const listPasswordLinks = defineEndpoint({
  id: 'password_links.list',
  method: 'GET',
  path: '/password-links',
  result: itemsOf(PasswordLink),
  errors: [403],
  addition: true,
  summary: 'List the reset links that have not been used or revoked, newest first',
})
export const createPasswordLink = defineEndpoint({
  id: 'users.create_password_link',
  method: 'POST',
  path: '/users/:user_id/password-link',
  status: 201,
  result: NewPasswordLink,
  errors: [403, 404],
  addition: true,
  summary: 'Create a reset link for a user; replaces an earlier link',
})
export const deletePasswordLink = defineEndpoint({
  id: 'users.delete_password_link',
  method: 'DELETE',
  path: '/users/:user_id/password-link',
  result: User,
  errors: [403, 404],
  addition: true,
  summary: 'Revoke the reset link of a user',
})
export const readPasswordLink = defineEndpoint({
  id: 'password_links.read',
  method: 'POST',
  path: '/password-links/read',
  access: 'none',
  body: z.object({ token }),
  result: OpenPasswordLink,
  errors: [401, 403, 429],
  addition: true,
  summary: 'Get the user for whom a reset link was created',
})
export const usePasswordLink = defineEndpoint({
  id: 'password_links.use',
  method: 'POST',
  path: '/password-links/use',
  access: 'none',
  body: z.object({ token, password: newPassword }),
  errors: [401, 403, 429],
  addition: true,
  summary: 'Set a new password with a reset link; ends all sessions and bearer tokens of the user',
})

export const accountLinkEndpoints = [
  listInvitations,
  createInvitation,
  renewInvitation,
  deleteInvitation,
  readInvitation,
  acceptInvitation,
  listPasswordLinks,
  createPasswordLink,
  deletePasswordLink,
  readPasswordLink,
  usePasswordLink,
] as const
