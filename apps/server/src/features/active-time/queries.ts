import type { getMyActiveTime } from '@postil/contract/active-time.ts'
import type { ResultOf } from '@postil/contract/wire/endpoint.ts'
import { forbidden } from '@postil/contract/wire/errors.ts'
import { datasetFor, maySee } from '#features/datasets/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import { query } from '#platform/db/operations.ts'
import { activeTimeOf } from './quartiles.ts'
import { isShownToLeads } from './settings.ts'

/** Returns the caller's own active time. @throws Problem not_found, forbidden */
export const myActiveTime = query(
  'active-time.mine',
  async (
    db,
    { user, dataset_id }: { readonly user: Actor; readonly dataset_id: string },
  ): Promise<ResultOf<typeof getMyActiveTime>> => {
    const dataset = await datasetFor(db, dataset_id, user)
    if (!maySee(user, dataset)) throw forbidden()
    return {
      active_time: await activeTimeOf(db, dataset.no, user.id),
      shown_to_leads: await isShownToLeads(db, dataset_id),
    }
  },
)
