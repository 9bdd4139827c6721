import type { QueueSettings } from '@postil/contract/queue.ts'
import type { SearchSettings } from '@postil/contract/search-settings.ts'
import type { SuggestionSettings } from '@postil/contract/suggestion-settings.ts'
import { type AdoptedDataset, adoptDataset } from '#features/datasets/public.ts'
import { enqueueSweep } from '#features/jobs/public.ts'
import { adoptQueueSettings } from '#features/queue/public.ts'
import { type AdoptedSchema, adoptSchema, adoptSearchSettings } from '#features/schema/public.ts'
import { adoptSuggestionSettings } from '#features/suggestion-visibility/public.ts'
import type { Db } from '#platform/db/db.ts'
import { command } from '#platform/db/operations.ts'
import { now } from '#platform/time.ts'

type AdoptDatasetArgs = {
  readonly dataset: AdoptedDataset
  readonly schema: AdoptedSchema
  readonly queue: QueueSettings
  /** Null if the other server doesn't have search settings. */
  readonly search: SearchSettings | null
  /** Null if the other server doesn't have suggestion settings. */
  readonly suggestions: SuggestionSettings | null
}

/**
 * Copies a dataset from another server with its schema and its settings for the queue, searches and suggestions. If the dataset
 * already exists here, copies only newer changes.
 * @throws Problem conflict, unprocessable
 */
export const adoptDatasetWithSchema = command(
  'transfer.dataset',
  async (db, { dataset, schema, queue, search, suggestions }: AdoptDatasetArgs): Promise<void> => {
    const { no } = await adoptDataset(db, dataset)
    await adoptSchema(db, { id: dataset.id, no }, schema)
    await adoptQueueSettings(db, dataset.id, queue)
    if (search !== null) await adoptSearchSettings(db, { id: dataset.id, no }, search)
    if (suggestions !== null) await adoptSuggestionSettings(db, dataset.id, suggestions)
  },
)

/** Schedules a sweep, one day from now, that removes the dataset's stored images that no record references. */
export const expectImages = command(
  'transfer.expect-images',
  async (db, { dataset_id }: { readonly dataset_id: string }): Promise<void> => {
    const { no } = (await db.sql.selectFrom('datasets').select('no').where('id', '=', dataset_id).executeTakeFirst()) ?? {}
    if (no !== undefined) await enqueueSweep(db, { no, id: dataset_id })
  },
)

/**
 * Marks users as having answered in the dataset. Their order becomes the same as on the source server. @param order the users'
 * IDs on this server
 */
const storeOrder = async (db: Db, dataset_no: number, order: readonly string[]): Promise<void> => {
  if (order.length === 0) return
  const users = await db.sql
    .selectFrom('users')
    .leftJoin('dataset_users', (join) =>
      join.onRef('dataset_users.user_id', '=', 'users.id').on('dataset_users.dataset_no', '=', dataset_no),
    )
    .select(['users.id', 'dataset_users.inserted_at as at'])
    .where('users.id', 'in', order)
    .execute()
  let next = now()
  for (const user_id of order.toReversed()) {
    const user = users.find(({ id }) => id === user_id)
    if (user === undefined) continue
    const inserted_at = Math.min(user.at ?? next, next)
    next = inserted_at - 1
    if (user.at === inserted_at) continue
    await db.sql
      .insertInto('dataset_users')
      .values({ dataset_no, user_id, inserted_at })
      .onConflict((c) => c.columns(['dataset_no', 'user_id']).doUpdateSet({ inserted_at }))
      .execute()
  }
}

type Authors = { readonly dataset_id: string; readonly order: readonly string[] }

/**
 * Sorts the users of a copied dataset by the times of their first answers. The order is then the same as if the answers had been
 * given on this server. Users from the source keep the source's order, because their first answers may have been deleted.
 * @param order IDs of the source's users on this server
 */
export const orderAuthors = command('transfer.authors', async (db, { dataset_id, order }: Authors): Promise<void> => {
  const dataset = await db.sql.selectFrom('datasets').select('no').where('id', '=', dataset_id).executeTakeFirst()
  if (dataset === undefined) return
  const first = await db.sql
    .selectFrom('responses')
    .select(['user_id', (eb) => eb.fn.min<number>('inserted_at').as('at')])
    .where('dataset_no', '=', dataset.no)
    .groupBy('user_id')
    .orderBy('user_id')
    .execute()
  for (const { user_id, at } of first) {
    await db.sql
      .updateTable('dataset_users')
      .set({ inserted_at: at })
      .where('dataset_no', '=', dataset.no)
      .where('user_id', '=', user_id)
      .where('inserted_at', '>', at)
      .execute()
  }
  await storeOrder(db, dataset.no, order)
})
