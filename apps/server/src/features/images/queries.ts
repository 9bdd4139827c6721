import { forbidden } from '@postil/contract/wire/errors.ts'
import { datasetScope, recordPolicy } from '#features/records/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import { query } from '#platform/db/operations.ts'

/** @throws Problem not_found, forbidden for users who may not see the dataset's records */
export const checkMaySee = query(
  'pictures.may-see',
  async (db, { user, dataset_id }: { readonly user: Actor; readonly dataset_id: string }): Promise<void> => {
    const dataset = await datasetScope(db, dataset_id, user, { hold: false })
    if (!recordPolicy.get(user, dataset)) throw forbidden()
  },
)
