import { type Actor, isOwner } from '#platform/auth/actor.ts'
import { query } from '#platform/db/operations.ts'
import type { Role } from '#platform/db/tables.ts'
import type { Micros } from '#platform/time.ts'
import { peoplePolicy } from './policy.ts'

type NamedRow = { readonly id: string; readonly name: string }
type PersonRow = {
  readonly id: string
  readonly username: string
  readonly first_name: string
  readonly last_name: string | null
  readonly role: Role
  readonly deactivated_at: Micros | null
  readonly is_agent: boolean
  readonly last_active_at: Micros | null
  /** The user's own ID if the user has an active second factor; otherwise null. */
  readonly factor: string | null
  readonly workspaces: readonly NamedRow[]
}

/** The people whom a user may see, oldest first, with the workspaces that the user may see. */
export const listPeople = query('people.list', async (db, actor: Actor): Promise<PersonRow[]> => {
  let memberships = db.sql
    .selectFrom('memberships')
    .innerJoin('workspaces', 'workspaces.id', 'memberships.workspace_id')
    .select(['memberships.user_id', 'workspaces.id', 'workspaces.name'])
  if (!peoplePolicy.seeAll(actor))
    memberships = memberships.where('memberships.workspace_id', 'in', (eb) =>
      eb.selectFrom('memberships as own').select('own.workspace_id').where('own.user_id', '=', actor.id),
    )
  const workspacesOf = new Map<string, NamedRow[]>()
  for (const { user_id, ...workspace } of await memberships.orderBy('workspaces.name').execute())
    workspacesOf.set(user_id, [...(workspacesOf.get(user_id) ?? []), workspace])
  const people = await db.sql
    .selectFrom('users')
    .leftJoin('user_activity', 'user_activity.user_id', 'users.id')
    .leftJoin('second_factors', (join) =>
      join.onRef('second_factors.user_id', '=', 'users.id').on('second_factors.active_since', 'is not', null),
    )
    .select(['users.id', 'users.username', 'users.first_name', 'users.last_name', 'users.role', 'users.deactivated_at'])
    .select(['users.is_agent', 'user_activity.at as last_active_at', 'second_factors.user_id as factor'])
    .orderBy('users.inserted_at')
    .orderBy('users.id')
    .execute()
  return people
    .filter(({ id }) => isOwner(actor) || workspacesOf.has(id))
    .map((row) => ({ ...row, workspaces: workspacesOf.get(row.id) ?? [] }))
})
