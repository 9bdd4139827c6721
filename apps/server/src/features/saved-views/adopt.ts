import { maxSavedViews } from '@postil/contract/wire/limits.ts'
import { datasetScope } from '#features/records/public.ts'
import { command } from '#platform/db/operations.ts'
import type { OriginalRow } from '#platform/original-row.ts'
import type { InDataset } from './rows.ts'

/** A view from another server. `user_id` is the author's ID on this server. */
export type AdoptedView = OriginalRow & {
  readonly user_id: string
  readonly name: string
  readonly query: string
  readonly shared: boolean
}
export type ViewLeftOut = { readonly name: string; readonly reason: string }

/**
 * Copies views from another server with their IDs and times, and updates existing views that are older here. Views with the
 * same author and name are treated as the same view.
 * @returns the views that were left out
 * @throws Problem not_found, forbidden
 */
export const adoptViews = command(
  'saved-views.adopt',
  async (
    db,
    { views, dataset_id, user }: InDataset & { readonly views: readonly AdoptedView[] },
  ): Promise<readonly ViewLeftOut[]> => {
    const { no } = await datasetScope(db, dataset_id, user, { hold: true })
    const leftOut: ViewLeftOut[] = []
    for (const { id, user_id, inserted_at, ...view } of views) {
      // Locks the author, so that only one command at a time checks the names and the number of the author's views.
      const author = await db.dialect
        .forUpdate(db.sql.selectFrom('users').select('id').where('id', '=', user_id))
        .executeTakeFirst()
      const existing = await db.sql
        .selectFrom('saved_views')
        .select(['id', 'user_id', 'name', 'updated_at'])
        .where('dataset_no', '=', no)
        .where((eb) => eb.or([eb('id', '=', id), eb('user_id', '=', user_id)]))
        .execute()
      const named = existing.find((one) => one.user_id === user_id && one.name === view.name)
      const same = existing.find((one) => one.id === id) ?? named
      const skip = (reason: string) => leftOut.push({ name: view.name, reason })
      if (same !== undefined) {
        if (view.updated_at <= same.updated_at) continue
        if (named !== undefined && named.id !== same.id) skip('its author has another view with that name here')
        else await db.sql.updateTable('saved_views').set(view).where('dataset_no', '=', no).where('id', '=', same.id).execute()
      } else if (author === undefined) skip('its author does not exist here')
      else if (existing.length >= maxSavedViews) skip(`its author already has the maximum of ${maxSavedViews} views here`)
      else
        await db.sql
          .insertInto('saved_views')
          .values({ id, user_id, inserted_at, ...view, dataset_no: no })
          .execute()
    }
    return leftOut
  },
)
