import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'

/** The end of a hold that has no deadline. */
export const NO_END = Number.MAX_SAFE_INTEGER

/**
 * Which users hold which pending records, and until when. The queue doesn't assign a held record to another person. A user holds
 * a record in two cases, which can occur together:
 * - The user has a lease on the record.
 * - The user's answer to the record was returned to the user. This hold has no deadline. It doesn't exist if the user can no
 *   longer answer.
 */
export const holdsIn = (datasetNo: number): RawBuilder<unknown> => sql`
  select seq, user_id, until from leases where dataset_no = ${datasetNo}
  union all
  select seq, user_id, ${sql.lit(NO_END)} as until from responses
    where dataset_no = ${datasetNo} and returned is not null
      and (select status from records where dataset_no = ${datasetNo} and records.seq = responses.seq) = 'pending'
      and user_id in (
      select users.id from users where deactivated_at is null and (role = 'owner' or exists (
        select 1 from memberships join datasets on datasets.workspace_id = memberships.workspace_id
          where datasets.no = ${datasetNo} and memberships.user_id = users.id)))`

/** A returned answer. `isPending`: its record still needs answers. */
type ReturnedAnswer = { readonly seq: number; readonly isPending: boolean }

/** The user's returned answers, in the order in which they were returned. */
export const returnedTo = async (db: Db, datasetNo: number, userId: string): Promise<readonly ReturnedAnswer[]> => {
  const { rows } = await sql<{ seq: number; status: string }>`
    select seq, (select status from records where dataset_no = ${datasetNo} and seq = responses.seq) as status
    from responses where dataset_no = ${datasetNo} and user_id = ${userId} and returned is not null
    order by updated_at, seq`.execute(db.sql)
  return rows.map(({ seq, status }) => ({ seq, isPending: status === 'pending' }))
}
