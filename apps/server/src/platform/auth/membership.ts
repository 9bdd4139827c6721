import { type RawBuilder, sql } from 'kysely'

/**
 * Whether a user is a member of the dataset's workspace. Used in queries that select from `datasets`. The result has the engine's
 * boolean format.
 * @param userId an ID, or its placeholder in a prepared statement
 */
export const isMember = (userId: string): RawBuilder<boolean> => sql<boolean>`exists (
  select 1 from memberships where memberships.workspace_id = datasets.workspace_id and memberships.user_id = ${userId})`
