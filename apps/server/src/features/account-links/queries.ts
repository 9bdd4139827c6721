import { query } from '#platform/db/operations.ts'
import { now } from '#platform/time.ts'
import * as store from './store.ts'

/** All invitations, and the IDs of the workspaces that the user is a member of. */
export const listInvitations = query(
  'invitations.list',
  async (db, user: { readonly id: string }): Promise<{ invitations: store.InvitationRow[]; own: ReadonlySet<string> }> => ({
    invitations: await store.readInvitations(db),
    own: await store.ownWorkspaces(db, user),
  }),
)

export const listPasswordLinks = query('password_links.list', store.readPasswordLinks, { single: true })

type Token = { readonly token_hash: string }

export const findInvitation = query('invitations.find', (db, { token_hash }: Token) =>
  store.openInvitation(db, { token_hash, at: now(), locks: false }),
)

export const findPasswordLink = query('password_links.find', (db, { token_hash }: Token) =>
  store.openPasswordLink(db, { token_hash, at: now(), locks: false }),
)
