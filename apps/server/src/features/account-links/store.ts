import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import type { Role } from '#platform/db/tables.ts'
import { type Micros, now } from '#platform/time.ts'
import { accountLinkPolicy } from './policy.ts'

export type NamedRow = { readonly id: string; readonly name: string }
/** An invitation and its workspaces. Deleted workspaces are left out. */
export type InvitationRow = {
  readonly id: string
  readonly username: string
  readonly first_name: string
  readonly last_name: string | null
  readonly role: Role
  readonly workspaces: readonly NamedRow[]
  readonly invited_by: string
  readonly inviter: string
  readonly inserted_at: Micros
  readonly expires_at: Micros
}
export type PasswordLinkRow = {
  readonly id: string
  readonly username: string
  readonly created_by: string
  readonly creator: string
  readonly inserted_at: Micros
  readonly expires_at: Micros
}

const invitations = (db: Db) =>
  db.sql
    .selectFrom('invitations')
    .innerJoin('users as inviters', 'inviters.id', 'invitations.invited_by')
    .select([
      'invitations.id',
      'invitations.username',
      'invitations.first_name',
      'invitations.last_name',
      'invitations.role',
      'invitations.workspace_ids',
      'invitations.invited_by',
      'invitations.inserted_at',
      'invitations.expires_at',
      'inviters.username as inviter',
    ])

type Stored = Omit<InvitationRow, 'workspaces'> & { readonly workspace_ids: readonly string[] }

const withWorkspaces = async (db: Db, rows: readonly Stored[]): Promise<InvitationRow[]> => {
  const ids = [...new Set(rows.flatMap(({ workspace_ids }) => workspace_ids))]
  const named =
    ids.length === 0 ? [] : await db.sql.selectFrom('workspaces').select(['id', 'name']).where('id', 'in', ids).execute()
  const known = new Map(named.map((one) => [one.id, one]))
  return rows.map(({ workspace_ids, ...row }) => ({
    ...row,
    workspaces: workspace_ids.flatMap((id) => known.get(id) ?? []),
  }))
}

/** Reads all invitations, newest first. */
export const readInvitations = async (db: Db): Promise<InvitationRow[]> =>
  withWorkspaces(db, await invitations(db).orderBy('invitations.inserted_at', 'desc').orderBy('invitations.id', 'desc').execute())

export const invitationById = async (db: Db, id: string): Promise<InvitationRow | null> =>
  (await withWorkspaces(db, await invitations(db).where('invitations.id', '=', id).execute()))[0] ?? null

/** The IDs of the workspaces that a user is a member of. */
export const ownWorkspaces = async (db: Db, { id }: Pick<Actor, 'id'>): Promise<ReadonlySet<string>> => {
  const rows = await db.sql.selectFrom('memberships').select('workspace_id').where('user_id', '=', id).execute()
  return new Set(rows.map(({ workspace_id }) => workspace_id))
}

export const grantOf = ({ role, workspaces }: Pick<InvitationRow, 'role' | 'workspaces'>) => ({
  role,
  workspace_ids: workspaces.map(({ id }) => id),
})

const activeUser = (db: Db, id: string): Promise<Actor | undefined> =>
  db.sql.selectFrom('users').select(['id', 'role']).where('id', '=', id).where('deactivated_at', 'is', null).executeTakeFirst()

/** `locks`: whether to lock the link's row, so that no concurrent request can use the link. Use `locks` only in a command. */
type Token = { readonly token_hash: string; readonly at: Micros; readonly locks: boolean }

/**
 * Returns the invitation of a link. Null if the link is unknown or expired, or if the person who created the invitation may no
 * longer create such an invitation.
 */
export const openInvitation = async (db: Db, { token_hash, at, locks }: Token): Promise<InvitationRow | null> => {
  const found = db.sql.selectFrom('invitations').select('id').where('token_hash', '=', token_hash).where('expires_at', '>', at)
  const row = await (locks ? db.dialect.forUpdate(found) : found).executeTakeFirst()
  const invitation = row === undefined ? null : await invitationById(db, row.id)
  const inviter = invitation === null ? undefined : await activeUser(db, invitation.invited_by)
  if (invitation === null || inviter === undefined) return null
  const own = await ownWorkspaces(db, inviter)
  return accountLinkPolicy.manageInvitation(inviter, own, grantOf(invitation)) ? invitation : null
}

const passwordLinks = (db: Db) =>
  db.sql
    .selectFrom('password_links')
    .innerJoin('users', 'users.id', 'password_links.user_id')
    .innerJoin('users as creators', 'creators.id', 'password_links.created_by')
    .select(['users.id', 'users.username', 'password_links.created_by', 'creators.username as creator'])
    .select(['password_links.inserted_at', 'password_links.expires_at'])

/** Reads the links that haven't expired, newest first. */
export const readPasswordLinks = (db: Db): Promise<PasswordLinkRow[]> =>
  passwordLinks(db)
    .where('password_links.expires_at', '>', now())
    .orderBy('password_links.inserted_at', 'desc')
    .orderBy('users.id')
    .execute()

export const passwordLinkOf = async (db: Db, user_id: string): Promise<PasswordLinkRow | null> =>
  (await passwordLinks(db).where('password_links.user_id', '=', user_id).executeTakeFirst()) ?? null

/** Returns a reset link that works: its user is active, and the person who created it is still an owner. */
export const openPasswordLink = async (db: Db, { token_hash, at, locks }: Token): Promise<PasswordLinkRow | null> => {
  const { sql } = db
  const found = sql
    .selectFrom('password_links')
    .select('user_id')
    .where('token_hash', '=', token_hash)
    .where('expires_at', '>', at)
  const row = await (locks ? db.dialect.forUpdate(found) : found).executeTakeFirst()
  const link = row === undefined ? null : await passwordLinkOf(db, row.user_id)
  if (link === null) return null
  const [user, creator] = [await activeUser(db, link.id), await activeUser(db, link.created_by)]
  return user !== undefined && creator !== undefined && accountLinkPolicy.managePasswordLinks(creator) ? link : null
}
