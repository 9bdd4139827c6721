import { testRecordFault, testRecordSearch } from '@postil/contract/annotation-query/test-records.ts'
import { readViewQuery } from '@postil/contract/annotation-query/view-query.ts'
import { SearchBody } from '@postil/contract/search.ts'
import { Problem, unprocessable } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import { refuseUnknown } from '#features/search/public.ts'
import { checksOf } from '#features/test-items/public.ts'
import type { Db } from '#platform/db/db.ts'
import { holdUsers } from '#platform/db/locks.ts'
import { selectViews, type ViewRow } from './rows.ts'

/* Views that select test items. A command that changes or deletes a view locks the view's author. The command that stores review
   settings takes a shared lock on the author, so the two commands never run at the same time. The view in the settings therefore
   always exists. */

/** A view of a dataset, or undefined. */
export const viewAt = (db: Db, datasetNo: number, id: string): Promise<ViewRow | undefined> =>
  selectViews(db, datasetNo).where('saved_views.id', '=', id).executeTakeFirst()

/**
 * Returns a view, and keeps it from being changed or deleted until the command ends. Undefined if there is no such view. The
 * caller must hold the dataset.
 */
export const heldView = async (db: Db, datasetNo: number, id: string): Promise<ViewRow | undefined> => {
  const found = await viewAt(db, datasetNo, id)
  if (found === undefined) return undefined
  await holdUsers(db, [found.user_id])
  return viewAt(db, datasetNo, id)
}

type View = Pick<ViewRow, 'name' | 'query'>

/**
 * Returns the search for the records of a saved view that can be test items.
 * @throws Problem unprocessable if the view finds different records for different people, or if the view can't be searched
 */
const testSearchOf = ({ name, query }: View): SearchBody => {
  const parsed = readViewQuery(query)
  const fault = testRecordFault(parsed)
  if (fault !== null) throw unprocessable(message(fault, { name }))
  const body = SearchBody.safeParse(testRecordSearch(parsed))
  if (!body.success) throw unprocessable(message('viewInvalid', { name }, body.error.issues[0]?.message ?? 'unknown reason'))
  return body.data
}

/** Like `testSearchOf`, but returns null for a view that can't select test items. */
export const testSearchIn = (view: View): SearchBody | null => {
  try {
    return testSearchOf(view)
  } catch (error) {
    if (error instanceof Problem) return null
    throw error
  }
}

/** @throws Problem unprocessable, validation if a view can't select the test items of a dataset */
export const refuseUnusable = (db: Db, datasetId: string, view: View): Promise<void> =>
  refuseUnknown(db, datasetId, testSearchOf(view))

/** Whether the review settings of a dataset use a view. The caller has locked the view's author. */
export const selectsTestItems = async (db: Db, datasetNo: number, viewId: string): Promise<boolean> => {
  const dataset = await db.sql.selectFrom('datasets').select('review').where('no', '=', datasetNo).executeTakeFirst()
  return dataset !== undefined && checksOf(dataset)?.view_id === viewId
}

type UsedView = { readonly name: string; readonly dataset: string }

/**
 * Returns one of the user's views if it selects the test items of a dataset. Returns undefined if there is no such view. The
 * caller has locked the user.
 */
export const usedViewOf = async (db: Db, userId: string): Promise<UsedView | undefined> => {
  const views = await db.sql
    .selectFrom('saved_views')
    .innerJoin('datasets', 'datasets.no', 'saved_views.dataset_no')
    .select(['saved_views.id', 'saved_views.name', 'datasets.name as dataset', 'datasets.review'])
    .where('saved_views.user_id', '=', userId)
    .where('datasets.review', 'is not', null)
    .where('datasets.gone_at', 'is', null)
    .execute()
  return views.find(({ id, review }) => checksOf({ review })?.view_id === id)
}
