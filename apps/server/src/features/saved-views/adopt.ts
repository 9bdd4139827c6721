import { maxSavedViews } from '@postil/contract/wire/limits.ts'
import { datasetScope } from '#features/records/public.ts'
import type { Db } from '#platform/db/db.ts'
import { lockUser, lockUsers } from '#platform/db/locks.ts'
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

type Adopted = {
  /** The ID of the view here; null if it doesn't exist here. */
  readonly id: string | null
  /** Why the view or its newer version was left out; null if it wasn't. */
  readonly reason: string | null
}

/**
 * Copies a view from another server, as part of another feature's command. The caller must have locked the dataset. Locks the
 * author, so that only one command at a time checks the names and the number of the author's views.
 */
export const adoptView = async (
  db: Db,
  datasetNo: number,
  { id, user_id, inserted_at, ...view }: AdoptedView,
): Promise<Adopted> => {
  await lockUser(db, user_id)
  const author = await db.sql.selectFrom('users').select('id').where('id', '=', user_id).executeTakeFirst()
  const existing = await db.sql
    .selectFrom('saved_views')
    .select(['id', 'user_id', 'name', 'updated_at'])
    .where('dataset_no', '=', datasetNo)
    .where((eb) => eb.or([eb('id', '=', id), eb('user_id', '=', user_id)]))
    .execute()
  const named = existing.find((one) => one.user_id === user_id && one.name === view.name)
  const same = existing.find((one) => one.id === id) ?? named
  const skip = (reason: string): Adopted => ({ id: same?.id ?? null, reason })
  if (same !== undefined) {
    if (view.updated_at <= same.updated_at) return { id: same.id, reason: null }
    if (named !== undefined && named.id !== same.id) return skip('its author has another view with that name here')
    await db.sql.updateTable('saved_views').set(view).where('dataset_no', '=', datasetNo).where('id', '=', same.id).execute()
    return { id: same.id, reason: null }
  }
  if (author === undefined) return skip('its author does not exist here')
  if (existing.length >= maxSavedViews) return skip(`its author already has the maximum of ${maxSavedViews} views here`)
  await db.sql
    .insertInto('saved_views')
    .values({ id, user_id, inserted_at, ...view, dataset_no: datasetNo })
    .execute()
  return { id, reason: null }
}

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
    await lockUsers(
      db,
      views.map(({ user_id }) => user_id),
    )
    const leftOut: ViewLeftOut[] = []
    for (const view of views) {
      const { reason } = await adoptView(db, no, view)
      if (reason !== null) leftOut.push({ name: view.name, reason })
    }
    return leftOut
  },
)
