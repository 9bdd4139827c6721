import { conflict, forbidden, notFound, unauthorized, unprocessable } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import { changeUser, insertUser, type NewUser, type UserRow } from '#features/users/public.ts'
import { joinWorkspaces } from '#features/workspaces/public.ts'
import { type Actor, isOwner } from '#platform/auth/actor.ts'
import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import { lockUser } from '#platform/db/locks.ts'
import { command } from '#platform/db/operations.ts'
import type { Role } from '#platform/db/tables.ts'
import { newId } from '#platform/ids.ts'
import { type Micros, now } from '#platform/time.ts'
import { accountLinkPolicy } from './policy.ts'
import * as store from './store.ts'

const MICROS = 1_000_000
/** How long expired invitations stay in the list. */
const KEPT_EXPIRED = 30 * 24 * 60 * 60 * MICROS
const MAX_INVITATIONS = 1000

/** A link to create: the hash of its token and how long it is valid, in seconds. */
type NewLink = { readonly token_hash: string; readonly seconds: number }
type NewInvitation = {
  readonly username: string
  readonly first_name: string
  readonly last_name: string | null
  readonly role: Role
  readonly workspace_ids: readonly string[]
}

const invitationAfterChange = async (db: Db, id: string): Promise<store.InvitationRow> => {
  const row = await store.invitationById(db, id)
  if (row === null) throw notFound('Invitation', id)
  return row
}

/** @throws Problem `forbidden`, `unprocessable` for an unknown workspace, `conflict` */
export const createInvitation = command(
  'invitations.create',
  async (
    db,
    { actor, invitation, link }: { actor: Actor; invitation: NewInvitation; link: NewLink },
  ): Promise<store.InvitationRow> => {
    const { workspace_ids } = invitation
    // Admins must not learn which other workspaces exist.
    if (!accountLinkPolicy.manageInvitation(actor, await store.ownWorkspaces(db, actor), invitation)) throw forbidden()
    const known =
      workspace_ids.length === 0
        ? []
        : await db.sql.selectFrom('workspaces').select('id').where('id', 'in', workspace_ids).execute()
    const unknown = workspace_ids.find((id) => !known.some((one) => one.id === id))
    if (unknown !== undefined) throw unprocessable(`Workspace with id \`${unknown}\` not found`)
    const at = now()
    await db.sql
      .deleteFrom('invitations')
      .where('expires_at', '<', at - KEPT_EXPIRED)
      .execute()
    const { n } = await db.sql
      .selectFrom('invitations')
      .select((eb) => eb.fn.countAll().as('n'))
      .where('invited_by', '=', actor.id)
      .executeTakeFirstOrThrow()
    if (Number(n) >= MAX_INVITATIONS) throw conflict(message('tooManyInvitations', { found: Number(n) }))
    // Admins don't learn which usernames are taken by users outside their workspaces. If the username is taken, the person who
    // accepts the invitation chooses another one.
    const isTaken =
      isOwner(actor) &&
      (await db.sql.selectFrom('users').select('id').where('username', '=', invitation.username).executeTakeFirst())
    if (isTaken) throw conflict(message('userExists', { username: invitation.username }))
    const id = newId()
    await db.sql
      .insertInto('invitations')
      .values({
        id,
        token_hash: link.token_hash,
        ...invitation,
        workspace_ids: json([...new Set(workspace_ids)]),
        invited_by: actor.id,
        inserted_at: at,
        expires_at: at + link.seconds * MICROS,
      })
      .execute()
    return invitationAfterChange(db, id)
  },
)

type OfActor = { readonly actor: Actor; readonly id: string }

/**
 * @throws Problem `forbidden` if the caller isn't allowed to manage the invitation. If the invitation is unknown, owners get
 * `not_found` and all other callers get `forbidden`
 */
const managed = async (db: Db, { actor, id }: OfActor): Promise<store.InvitationRow> => {
  const row = await store.invitationById(db, id)
  const own = await store.ownWorkspaces(db, actor)
  if (row === null && isOwner(actor)) throw notFound('Invitation', id)
  if (row === null || !accountLinkPolicy.manageInvitation(actor, own, store.grantOf(row))) throw forbidden()
  return row
}

/** Replaces an invitation's link. The calling user becomes the inviter, so the link now depends on this user's permissions. */
export const renewInvitation = command(
  'invitations.renew',
  async (db, { link, ...of }: OfActor & { readonly link: NewLink }): Promise<store.InvitationRow> => {
    await managed(db, of)
    await db.sql
      .updateTable('invitations')
      .set({ token_hash: link.token_hash, invited_by: of.actor.id, expires_at: now() + link.seconds * MICROS })
      .where('id', '=', of.id)
      .execute()
    return invitationAfterChange(db, of.id)
  },
)

export const deleteInvitation = command('invitations.delete', async (db, of: OfActor): Promise<store.InvitationRow> => {
  const row = await managed(db, of)
  const removed = await db.sql.deleteFrom('invitations').where('id', '=', of.id).returning('id').executeTakeFirst()
  // The invitation may have been accepted since it was read.
  if (removed === undefined) throw notFound('Invitation', of.id)
  return row
})

export const expiredLink = () => unauthorized('This link has expired, was revoked or was already used')

type Acceptance = {
  readonly token_hash: string
  readonly user: Omit<NewUser, 'role' | 'first_name' | 'last_name'>
  /** Usernames that the configuration gives special rights. Only owners may create these users. */
  readonly reserved: readonly string[]
}

/**
 * Creates the invited user and uses up the link. @throws Problem `unauthorized` for a link that doesn't work, `conflict` for a
 * username that is taken, even in another Unicode form. After a conflict, the link still works
 */
export const acceptInvitation = command(
  'invitations.accept',
  async (db, { token_hash, user, reserved }: Acceptance): Promise<UserRow> => {
    const invitation = await store.openInvitation(db, { token_hash, at: now(), locks: true })
    if (invitation === null) throw expiredLink()
    const { id, role, first_name, last_name, workspaces } = invitation
    const { username } = user
    const forms = [username, username.normalize('NFC'), username.normalize('NFD')]
    const taken = await db.sql.selectFrom('users').select('id').where('username', 'in', forms).executeTakeFirst()
    if (taken !== undefined || forms.some((form) => reserved.includes(form)))
      throw conflict(message('userExists', { username: user.username }))
    await db.sql.deleteFrom('invitations').where('id', '=', id).execute()
    const made = await insertUser(db, { ...user, role, first_name, last_name })
    await db.sql.insertInto('invited_users').values({ user_id: made.id }).execute()
    await joinWorkspaces(
      db,
      made.id,
      workspaces.map((workspace) => workspace.id),
    )
    return made
  },
)

/**
 * Creates a link with which a user can set a new password. It replaces the user's earlier link. @throws Problem `not_found`,
 * `unprocessable`
 */
export const createPasswordLink = command(
  'password_links.create',
  async (db, { actor, id, link }: OfActor & { readonly link: NewLink }): Promise<store.PasswordLinkRow> => {
    await lockUser(db, id)
    const user = await db.sql.selectFrom('users').select(['username', 'deactivated_at']).where('id', '=', id).executeTakeFirst()
    if (user === undefined) throw notFound('User', id)
    if (user.deactivated_at !== null) throw unprocessable(message('userDeactivated', { username: user.username }))
    const at = now()
    await db.sql
      .deleteFrom('password_links')
      .where((eb) => eb.or([eb('user_id', '=', id), eb('expires_at', '<=', at)]))
      .execute()
    await db.sql
      .insertInto('password_links')
      .values({
        user_id: id,
        token_hash: link.token_hash,
        created_by: actor.id,
        inserted_at: at,
        expires_at: at + link.seconds * MICROS,
      })
      .execute()
    const row = await store.passwordLinkOf(db, id)
    if (row === null) throw notFound('User', id)
    return row
  },
)

export const deletePasswordLink = command('password_links.delete', async (db, { id }: { id: string }): Promise<UserRow> => {
  await db.sql.deleteFrom('password_links').where('user_id', '=', id).execute()
  // Returns the user without changing anything.
  return changeUser(db, { id, change: {}, at: now() })
})

type Reset = { readonly token_hash: string; readonly password_hash: string; readonly at: Micros }

/** Sets a new password and uses up the link. @throws Problem `unauthorized` for a link that doesn't work */
export const usePasswordLink = command(
  'password_links.use',
  async (db, { token_hash, password_hash, at }: Reset): Promise<UserRow> => {
    const link = await store.openPasswordLink(db, { token_hash, at: now(), locks: true })
    if (link === null) throw expiredLink()
    return changeUser(db, { id: link.id, change: { password_hash }, at })
  },
)
