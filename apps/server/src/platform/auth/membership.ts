import { type RawBuilder, sql } from 'kysely'

/**
 * Whether a user is linked to the workspace of a dataset, inside a query from `datasets`; bools are as the engine has them.
 * @param userId an id, or the place of one in a prepared statement
 */
export const isMember = (userId: string): RawBuilder<boolean> => sql<boolean>`exists (
  select 1 from memberships where memberships.workspace_id = datasets.workspace_id and memberships.user_id = ${userId})`
