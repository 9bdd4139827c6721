import { metadataNamesIn, readViewQuery, usesSuggestions } from '@postil/contract/annotation-query/view-query.ts'
import type { SavedView } from '@postil/contract/saved-views.ts'
import { forbidden } from '@postil/contract/wire/errors.ts'
import { datasetScope, type ScopeDataset, viewerOf } from '#features/records/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { type Micros, printTime } from '#platform/time.ts'
import { savedViewPolicy } from './policy.ts'

export type InDataset = { readonly user: Actor; readonly dataset_id: string }

export type ViewRow = {
  readonly id: string
  readonly user_id: string
  readonly username: string
  readonly name: string
  readonly query: string
  readonly shared: boolean
  readonly inserted_at: Micros
  readonly updated_at: Micros
}

export const selectViews = (db: Db, datasetNo: number) =>
  db.sql
    .selectFrom('saved_views')
    .innerJoin('users', 'users.id', 'saved_views.user_id')
    .select([
      'saved_views.id',
      'saved_views.user_id',
      'users.username',
      'saved_views.name',
      'saved_views.query',
      'saved_views.shared',
    ])
    .select(['saved_views.inserted_at', 'saved_views.updated_at'])
    .where('saved_views.dataset_no', '=', datasetNo)

export const printView = ({ user_id, username, inserted_at, updated_at, ...view }: ViewRow): SavedView => ({
  ...view,
  user: { id: user_id, username },
  inserted_at: printTime(inserted_at),
  updated_at: printTime(updated_at),
})

/** Returns a function that checks whether the caller can see a view of the dataset. */
export const visibilityOf = async (db: Db, dataset: ScopeDataset, user: Actor): Promise<(view: ViewRow) => boolean> => {
  const { metadata, hidingRule } = await viewerOf(db, dataset.id, user, { own: false })
  const isShown = ({ query }: ViewRow): boolean => {
    const read = readViewQuery(query)
    return (
      (metadata === null || metadataNamesIn(read).every((name) => metadata.has(name))) &&
      (hidingRule === null || !usesSuggestions(read))
    )
  }
  return (view) => savedViewPolicy.see(user, { ...view, shown: isShown(view) })
}

/** Returns the dataset if the caller may have views in it. @throws Problem not_found, forbidden */
export const viewsDataset = async (
  db: Db,
  { user, dataset_id }: InDataset,
  action: 'list' | 'create',
  hold: { readonly hold: boolean },
): Promise<ScopeDataset> => {
  const dataset = await datasetScope(db, dataset_id, user, hold)
  if (!savedViewPolicy[action](user, dataset)) throw forbidden()
  return dataset
}
