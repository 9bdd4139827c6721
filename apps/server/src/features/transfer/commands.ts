import type { QueueSettings } from '@postil/contract/queue.ts'
import { type AdoptedDataset, adoptDataset } from '#features/datasets/service.ts'
import { sweepLater } from '#features/jobs/service.ts'
import { adoptQueueSettings } from '#features/queue/service.ts'
import { type AdoptedSchema, adoptSchema } from '#features/schema/service.ts'
import { command } from '#platform/db/operations.ts'

type Whole = { readonly dataset: AdoptedDataset; readonly schema: AdoptedSchema; readonly queue: QueueSettings }

/**
 * Takes in a dataset of another server with its schema, and how its records are handed out: whole, or what is newer of one that is here.
 * @throws Problem conflict, unprocessable
 */
export const adoptWholeDataset = command('transfer.dataset', async (db, { dataset, schema, queue }: Whole): Promise<void> => {
  const { no } = await adoptDataset(db, dataset)
  await adoptSchema(db, { id: dataset.id, no }, schema)
  await adoptQueueSettings(db, dataset.id, queue)
})

/** Has images that are kept for a dataset removed a day later where no record comes that names them. */
export const expectImages = command(
  'transfer.expect-images',
  async (db, { dataset_id }: { readonly dataset_id: string }): Promise<void> => {
    const { no } = (await db.sql.selectFrom('datasets').select('no').where('id', '=', dataset_id).executeTakeFirst()) ?? {}
    if (no !== undefined) await sweepLater(db, { no, id: dataset_id })
  },
)

/** Puts those who answered in a dataset into the order of their first answers, as if they had given them here. */
export const orderAuthors = command(
  'transfer.authors',
  async (db, { dataset_id }: { readonly dataset_id: string }): Promise<void> => {
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
  },
)
