import type { UserRow } from '#features/users/public.ts'
import { type Actor, isOwner } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { query } from '#platform/db/operations.ts'
import { type WorkspaceRow, workspaceColumns } from './rows.ts'

const ordered = (db: Db) =>
  db.sql.selectFrom('workspaces').select(workspaceColumns).orderBy('workspaces.inserted_at').orderBy('workspaces.id')

const visibleWorkspaces = (db: Db, user: Actor): Promise<WorkspaceRow[]> =>
  isOwner(user)
    ? ordered(db).execute()
    : ordered(db)
        .innerJoin('memberships', 'memberships.workspace_id', 'workspaces.id')
        .where('memberships.user_id', '=', user.id)
        .execute()

export const listWorkspacesOf = query('workspaces.of', (db, user: Actor) => visibleWorkspaces(db, user), {
  single: true,
})

/** Returns the workspaces that a user can see; null if the user doesn't exist. */
export const listWorkspacesOfId = query(
  'workspaces.of_id',
  async (db, { id }: { id: string }): Promise<WorkspaceRow[] | null> => {
    const user = await db.sql.selectFrom('users').select(['id', 'role']).where('id', '=', id).executeTakeFirst()
    return user === undefined ? null : visibleWorkspaces(db, user)
  },
)

type WorkspaceMembership = { readonly workspace: WorkspaceRow | null; readonly member: boolean }

/** Returns a workspace and whether the user is a member. */
export const getMembership = query(
  'workspaces.standing',
  async (db, { id, user_id }: { id: string; user_id: string }): Promise<WorkspaceMembership> => {
    const row = await ordered(db)
      .leftJoin('memberships', (join) =>
        join.onRef('memberships.workspace_id', '=', 'workspaces.id').on('memberships.user_id', '=', user_id),
      )
      .select('memberships.user_id as member_id')
      .where('workspaces.id', '=', id)
      .executeTakeFirst()
    if (row === undefined) return { workspace: null, member: false }
    const { member_id, ...workspace } = row
    return { workspace, member: member_id !== null }
  },
  { single: true },
)

const members = (db: Db, id: string) =>
  db.sql
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select([
      'users.id',
      'users.first_name',
      'users.last_name',
      'users.username',
      'users.role',
      'users.api_key_sealed',
      'users.deactivated_at',
      'users.is_agent',
      'users.inserted_at',
      'users.updated_at',
    ])
    .where('memberships.workspace_id', '=', id)

/** Returns members in the order in which they joined. */
export const listMembers = query(
  'workspaces.members',
  (db, { id }: { id: string }): Promise<UserRow[]> =>
    members(db, id).orderBy('memberships.inserted_at').orderBy('users.id').execute(),
  { single: true },
)

export const getMember = query(
  'workspaces.member',
  async (db, { id, user_id }: { id: string; user_id: string }): Promise<UserRow | null> =>
    (await members(db, id).where('users.id', '=', user_id).executeTakeFirst()) ?? null,
  { single: true },
)
