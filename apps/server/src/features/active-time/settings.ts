import type { ActiveTimeSettings } from '@postil/contract/active-time.ts'
import { forbidden } from '@postil/contract/wire/errors.ts'
import { datasetFor, lockDatasetFor, mayChange, maySee } from '#features/datasets/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { command, query } from '#platform/db/operations.ts'

type InDataset = { readonly user: Actor; readonly dataset_id: string }

/** Whether owners and admins see the active time of other people in a dataset. */
export const isShownToLeads = async (db: Db, id: string): Promise<boolean> => {
  const { shows_active_time } = await db.sql
    .selectFrom('datasets')
    .select('shows_active_time')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return shows_active_time
}

/** @throws Problem not_found, forbidden */
export const getActiveTimeSettings = query(
  'active-time-settings.get',
  async (db, { user, dataset_id }: InDataset): Promise<ActiveTimeSettings> => {
    if (!maySee(user, await datasetFor(db, dataset_id, user))) throw forbidden()
    return { shown_to_leads: await isShownToLeads(db, dataset_id) }
  },
)

/** @throws Problem not_found, forbidden */
export const setActiveTimeSettings = command(
  'active-time-settings.set',
  async (db, { user, dataset_id, body }: InDataset & { readonly body: ActiveTimeSettings }): Promise<ActiveTimeSettings> => {
    if (!mayChange(user, await lockDatasetFor(db, dataset_id, user))) throw forbidden()
    const { shown_to_leads } = body
    await db.sql.updateTable('datasets').set({ shows_active_time: shown_to_leads }).where('id', '=', dataset_id).execute()
    return { shown_to_leads }
  },
)
