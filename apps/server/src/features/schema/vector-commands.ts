import type { VectorSettings, VectorSettingsCreate, VectorSettingsUpdate } from '@postil/contract/vectors-settings.ts'
import { unprocessable } from '@postil/contract/wire/errors.ts'
import { maxVectorSettings } from '@postil/contract/wire/limits.ts'
import { message } from '@postil/contract/wire/message.ts'
import type { Actor } from '#platform/auth/actor.ts'
import { command } from '#platform/db/operations.ts'
import { enqueueJob } from '#platform/jobs/kinds.ts'
import { dropRows } from './drop-rows.ts'
import { pick, printVectorSettings, vectorSettingsRows } from './rows.ts'
import { changesOf, lockedDataset, lockedDatasetOf, newChild, refuseTakenName } from './scope.ts'

/** @throws Problem not_found, forbidden, unprocessable, conflict */
export const createVectorSettings = command(
  'vector_settings.create',
  async (
    db,
    { user, dataset_id, body }: { user: Actor; dataset_id: string; body: VectorSettingsCreate },
  ): Promise<VectorSettings> => {
    const dataset = await lockedDataset(db, dataset_id, user)
    const existing = await vectorSettingsRows(db, dataset_id)
    if (existing.length >= maxVectorSettings) {
      throw unprocessable(message('tooManyVectors', { limit: maxVectorSettings }))
    }
    await refuseTakenName(db, 'vector_settings', dataset_id, body.name)
    const row = { ...(await newChild(db, dataset, body)), dimensions: body.dimensions }
    await db.sql.insertInto('vector_settings').values(row).execute()
    return printVectorSettings(row)
  },
)

/** @throws Problem not_found, forbidden */
export const updateVectorSettings = command(
  'vector_settings.update',
  async (db, { user, id, body }: { user: Actor; id: string; body: VectorSettingsUpdate }): Promise<VectorSettings> => {
    const dataset = await lockedDatasetOf(db, 'vector_settings', id, user)
    const row = pick(await vectorSettingsRows(db, dataset.id), id)
    const changes = changesOf(row, body)
    if (changes !== null) await db.sql.updateTable('vector_settings').set(changes).where('id', '=', id).execute()
    return printVectorSettings({ ...row, ...changes })
  },
)

/** Also deletes the stored vectors. @returns the settings before their deletion. @throws Problem not_found, forbidden */
export const deleteVectorSettings = command(
  'vector_settings.delete',
  async (db, { user, id }: { user: Actor; id: string }): Promise<VectorSettings> => {
    const dataset = await lockedDatasetOf(db, 'vector_settings', id, user)
    const row = pick(await vectorSettingsRows(db, dataset.id), id)
    await db.sql.deleteFrom('vector_settings').where('id', '=', id).execute()
    await enqueueJob(db, dropRows, { dataset_no: dataset.no, args: { setting_no: row.no } })
    return printVectorSettings(row)
  },
)
