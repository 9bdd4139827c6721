import { type Actor, isAdmin, isOwner } from '#platform/auth/actor.ts'
import type { Role } from '#platform/db/tables.ts'

/** What an invitation gives to the person who accepts it. */
export type Grant = { readonly role: Role; readonly workspace_ids: readonly string[] }

export const accountLinkPolicy = {
  listInvitations: (u: Actor) => isOwner(u) || isAdmin(u),
  /**
   * Owners invite everyone. Admins invite annotators, and only into their own workspaces.
   * @param own IDs of the workspaces that the user is a member of
   */
  manageInvitation: (u: Actor, own: ReadonlySet<string>, { role, workspace_ids }: Grant) =>
    isOwner(u) || (isAdmin(u) && role === 'annotator' && workspace_ids.length > 0 && workspace_ids.every((id) => own.has(id))),
  /** An admin who could set a user's password could sign in as that user and enter other admins' workspaces. */
  managePasswordLinks: isOwner,
}
