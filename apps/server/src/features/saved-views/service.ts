import type { SavedView, SavedViewCreate, SavedViewUpdate } from '@postil/contract/saved-views.ts'
import type { Store } from '#platform/db/store.ts'
import * as commands from './commands.ts'
import type { Actor } from './policy.ts'
import * as queries from './queries.ts'

// Used by the migration from another server.
export { type AdoptedView, adoptViews, type ViewLeftOut } from './adopt.ts'

type Ctx = { readonly store: Store }
type ViewKey = { readonly dataset_id: string; readonly view_id: string }
/** The part of a user that is passed to the store's threads. */
const actor = ({ id, role }: Actor): Actor => ({ id, role })

/** @throws Problem not_found, forbidden */
export const listViews = async (ctx: Ctx, user: Actor, dataset_id: string): Promise<{ items: SavedView[] }> => ({
  items: await ctx.store.read(queries.listViews, { user: actor(user), dataset_id }),
})

/** @throws Problem not_found, forbidden, conflict, unprocessable */
export const createView = (ctx: Ctx, user: Actor, dataset_id: string, body: SavedViewCreate): Promise<SavedView> =>
  ctx.store.write(commands.createView, { user: actor(user), dataset_id, body })

/** @throws Problem not_found, forbidden, conflict */
export const updateView = (ctx: Ctx, user: Actor, key: ViewKey, body: SavedViewUpdate): Promise<SavedView> =>
  ctx.store.write(commands.updateView, { user: actor(user), ...key, body })

/** @throws Problem not_found, forbidden */
export const deleteView = (ctx: Ctx, user: Actor, key: ViewKey): Promise<SavedView> =>
  ctx.store.write(commands.deleteView, { user: actor(user), ...key })
