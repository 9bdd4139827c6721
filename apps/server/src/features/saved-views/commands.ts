import type { SavedView, SavedViewCreate, SavedViewUpdate } from '@postil/contract/saved-views.ts'
import { conflict, forbidden, notFound, unprocessable } from '@postil/contract/wire/errors.ts'
import { maxSavedViews } from '@postil/contract/wire/limits.ts'
import { message } from '@postil/contract/wire/message.ts'
import type { ScopeDataset } from '#features/records/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { lockUser } from '#platform/db/locks.ts'
import { command } from '#platform/db/operations.ts'
import { newId } from '#platform/ids.ts'
import { now } from '#platform/time.ts'
import { savedViewPolicy } from './policy.ts'
import { type InDataset, printView, selectViews, type ViewRow, viewsDataset, visibilityOf } from './rows.ts'
import { refuseUnusable, selectsTestItems } from './test-records.ts'

/**
 * Locks the author, so that the author can't be deleted and only one command at a time checks the names and the number of the
 * author's views. @throws Problem not_found
 */
const lockAuthor = async (db: Db, userId: string): Promise<{ readonly username: string }> => {
  await lockUser(db, userId)
  const author = await db.sql.selectFrom('users').select('username').where('id', '=', userId).executeTakeFirst()
  if (author === undefined) throw notFound('User', userId)
  return author
}

const selectByAuthor = (db: Db, datasetNo: number, userId: string) =>
  db.sql.selectFrom('saved_views').where('dataset_no', '=', datasetNo).where('user_id', '=', userId)

const refuseTakenName = async (
  db: Db,
  datasetNo: number,
  { user_id, name }: Pick<ViewRow, 'user_id' | 'name'>,
): Promise<void> => {
  const taken = await selectByAuthor(db, datasetNo, user_id).select('id').where('name', '=', name).executeTakeFirst()
  if (taken) throw conflict(`A view with the name \`${name}\` already exists`)
}

/** @throws Problem not_found, forbidden, conflict, unprocessable if the maximum number of views is reached */
export const createView = command(
  'saved-views.create',
  async (db, { body, ...of }: InDataset & { readonly body: SavedViewCreate }): Promise<SavedView> => {
    const dataset = await viewsDataset(db, of, 'create', { hold: true })
    const user_id = of.user.id
    const { username } = await lockAuthor(db, user_id)
    await refuseTakenName(db, dataset.no, { user_id, name: body.name })
    const { n } = await selectByAuthor(db, dataset.no, user_id)
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    if (Number(n) >= maxSavedViews) throw unprocessable(message('tooManyViews', { found: Number(n) }))
    const at = now()
    const row = { id: newId(), user_id, ...body, inserted_at: at, updated_at: at }
    await db.sql
      .insertInto('saved_views')
      .values({ ...row, dataset_no: dataset.no })
      .execute()
    return printView({ ...row, username })
  },
)

type OfView = InDataset & { readonly view_id: string }
type Found = { readonly dataset: ScopeDataset; readonly view: ViewRow }

/** Returns a view that the caller can see, and locks its author. @throws Problem not_found, forbidden */
const lockView = async (db: Db, { view_id, ...of }: OfView): Promise<Found> => {
  const dataset = await viewsDataset(db, of, 'list', { hold: true })
  const findView = () => selectViews(db, dataset.no).where('saved_views.id', '=', view_id).executeTakeFirst()
  const isVisible = await visibilityOf(db, dataset, of.user)
  const first = await findView()
  if (first === undefined || !isVisible(first)) throw notFound('View', view_id)
  await lockAuthor(db, first.user_id)
  // The view may have been changed or deleted while this command waited for the author's lock.
  const view = await findView()
  if (view === undefined || !isVisible(view)) throw notFound('View', view_id)
  return { dataset, view }
}

const mayUpdate = (user: Actor, { dataset, view }: Found, body: SavedViewUpdate): boolean =>
  savedViewPolicy.update(user, dataset, view) &&
  (body.shared === undefined || body.shared === view.shared || savedViewPolicy.share(user, view))

/**
 * Changes only the values that differ from the stored ones. @throws Problem not_found, forbidden, conflict; unprocessable,
 * validation if the view selects test items and the new query can't select any
 */
export const updateView = command(
  'saved-views.update',
  async (db, { body, ...of }: OfView & { readonly body: SavedViewUpdate }): Promise<SavedView> => {
    const found = await lockView(db, of)
    if (!mayUpdate(of.user, found, body)) throw forbidden()
    const { dataset, view } = found
    const { name, query, shared } = { ...view, ...body }
    if (name === view.name && query === view.query && shared === view.shared) return printView(view)
    if (name !== view.name) await refuseTakenName(db, dataset.no, { user_id: view.user_id, name })
    if (query !== view.query && (await selectsTestItems(db, dataset.no, view.id)))
      await refuseUnusable(db, dataset.id, { name, query })
    const change = { name, query, shared, updated_at: now() }
    await db.sql.updateTable('saved_views').set(change).where('dataset_no', '=', dataset.no).where('id', '=', view.id).execute()
    return printView({ ...view, ...change })
  },
)

/** @returns the view before its deletion. @throws Problem not_found, forbidden, conflict if the view selects test items */
export const deleteView = command('saved-views.delete', async (db, of: OfView): Promise<SavedView> => {
  const { dataset, view } = await lockView(db, of)
  if (!savedViewPolicy.delete(of.user, dataset, view)) throw forbidden()
  if (await selectsTestItems(db, dataset.no, view.id)) throw conflict(message('viewInUse', { name: view.name }))
  await db.sql.deleteFrom('saved_views').where('dataset_no', '=', dataset.no).where('id', '=', view.id).execute()
  return printView(view)
})
