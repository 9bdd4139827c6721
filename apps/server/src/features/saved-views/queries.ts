import type { SavedView } from '@postil/contract/saved-views.ts'
import { query } from '#platform/db/operations.ts'
import { type InDataset, printView, selectViews, viewsDataset, visibilityOf } from './rows.ts'

/**
 * Returns the caller's own views and those shared views that the caller can see, oldest first. @throws Problem not_found,
 * forbidden
 */
export const listViews = query('saved-views.list', async (db, of: InDataset): Promise<SavedView[]> => {
  const dataset = await viewsDataset(db, of, 'list', { hold: false })
  const rows = await selectViews(db, dataset.no)
    .where((eb) => eb.or([eb('saved_views.user_id', '=', of.user.id), eb('saved_views.shared', '=', true)]))
    .orderBy('saved_views.inserted_at')
    .orderBy('saved_views.id')
    .execute()
  const isSeen = await visibilityOf(db, dataset, of.user)
  return rows.filter(isSeen).map(printView)
})
