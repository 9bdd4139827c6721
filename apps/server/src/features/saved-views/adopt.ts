import { maxSavedViews } from '@postil/contract/wire/limits.ts'
import { datasetScope } from '#features/records/service.ts'
import { command } from '#platform/db/operations.ts'
import type { Kept } from '#platform/kept.ts'
import type { InDataset } from './rows.ts'

/** A view of another server; `user_id` is the one that its author has here. */
export type AdoptedView = Kept & {
  readonly user_id: string
  readonly name: string
  readonly query: string
  readonly shared: boolean
}
export type ViewLeftOut = { readonly name: string; readonly reason: string }

/**
 * Takes in views of another server with their ids and times, and what is newer of those that are here. One that its author has here
 * under the same name is taken for the same.
 * @returns those that were left out
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
      // NOTE: names are given, and views counted, one after the other for each author
      const author = await db.dialect
        .forUpdate(db.sql.selectFrom('users').select('id').where('id', '=', user_id))
        .executeTakeFirst()
      const standing = await db.sql
        .selectFrom('saved_views')
        .select(['id', 'user_id', 'name', 'updated_at'])
        .where('dataset_no', '=', no)
        .where((eb) => eb.or([eb('id', '=', id), eb('user_id', '=', user_id)]))
        .execute()
      const named = standing.find((one) => one.user_id === user_id && one.name === view.name)
      const same = standing.find((one) => one.id === id) ?? named
      const leave = (reason: string) => leftOut.push({ name: view.name, reason })
      if (same !== undefined) {
        if (view.updated_at <= same.updated_at) continue
        if (named !== undefined && named.id !== same.id) leave('its author has another view of that name here')
        else await db.sql.updateTable('saved_views').set(view).where('dataset_no', '=', no).where('id', '=', same.id).execute()
      } else if (author === undefined) leave('its author is not here')
      else if (standing.length >= maxSavedViews) leave(`its author has ${maxSavedViews} views here`)
      else
        await db.sql
          .insertInto('saved_views')
          .values({ id, user_id, inserted_at, ...view, dataset_no: no })
          .execute()
    }
    return leftOut
  },
)
