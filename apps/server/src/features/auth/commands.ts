import type { NewUser } from '#features/users/public.ts'
import { command } from '#platform/db/operations.ts'
import { newId } from '#platform/ids.ts'
import { now } from '#platform/time.ts'

type First = { readonly user: NewUser; readonly workspace: string }

/**
 * Creates the first owner and workspace in one step. Returns null if a user already exists, so that only one of several
 * processes succeeds.
 */
export const createOwner = command(
  'auth.create_owner',
  async (db, { user, workspace }: First): Promise<{ id: string } | null> => {
    if (await db.sql.selectFrom('users').select('id').limit(1).executeTakeFirst()) return null
    const at = now()
    const id = user.id ?? newId()
    const times = { inserted_at: at, updated_at: at }
    await db.sql
      .insertInto('users')
      .values({ ...user, id, ...times })
      .execute()
    const known = await db.sql.selectFrom('workspaces').select('id').where('name', '=', workspace).executeTakeFirst()
    const workspace_id = known?.id ?? newId()
    if (!known)
      await db.sql
        .insertInto('workspaces')
        .values({ id: workspace_id, name: workspace, ...times })
        .execute()
    await db.sql.insertInto('memberships').values({ workspace_id, user_id: id, inserted_at: at }).execute()
    return { id }
  },
)
