import type { MetadataProperty, MetadataPropertyCreate, MetadataPropertyUpdate } from '@postil/contract/metadata-properties.ts'
import { unprocessable } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import { enqueueBackfill } from '#features/jobs/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import { command } from '#platform/db/operations.ts'
import { enqueueJob } from '#platform/jobs/kinds.ts'
import { questionThatReads } from './condition-uses.ts'
import { dropRows } from './drop-rows.ts'
import { metadataPropertyRows, pick, printMetadataProperty, questionRows } from './rows.ts'
import { changesOf, lockedDataset, lockedDatasetOf, newChild, refuseTakenName } from './scope.ts'

/** @throws Problem unprocessable if a condition refers to the property */
const refuseInCondition = async (db: Db, datasetId: string, name: string): Promise<void> => {
  const other = questionThatReads(await questionRows(db, datasetId), (rule) => 'metadata' in rule && rule.metadata === name)
  if (other !== undefined) throw unprocessable(message('propertyInCondition', { name, other: other.name }))
}

/** @throws Problem not_found, forbidden, conflict */
export const createMetadataProperty = command(
  'metadata_properties.create',
  async (
    db,
    { user, dataset_id, body }: { user: Actor; dataset_id: string; body: MetadataPropertyCreate },
  ): Promise<MetadataProperty> => {
    const dataset = await lockedDataset(db, dataset_id, user)
    await refuseTakenName(db, 'metadata_properties', dataset_id, body.name)
    const { settings, visible_for_annotators } = body
    const row = { ...(await newChild(db, dataset, body)), visible_for_annotators }
    await db.sql
      .insertInto('metadata_properties')
      .values({ ...row, settings: json(settings) })
      .execute()
    await enqueueBackfill(db, dataset.no, row.no)
    return printMetadataProperty({ ...row, settings })
  },
)

/** @throws Problem not_found, forbidden, unprocessable */
export const updateMetadataProperty = command(
  'metadata_properties.update',
  async (db, { user, id, body }: { user: Actor; id: string; body: MetadataPropertyUpdate }): Promise<MetadataProperty> => {
    const dataset = await lockedDatasetOf(db, 'metadata_properties', id, user)
    const row = pick(await metadataPropertyRows(db, dataset.id), id)
    const changes = changesOf(row, body)
    if (changes === null) return printMetadataProperty(row)
    const { title, visible_for_annotators, updated_at } = { ...row, ...changes }
    if (!visible_for_annotators) await refuseInCondition(db, dataset.id, row.name)
    const set = { title, visible_for_annotators, updated_at }
    await db.sql.updateTable('metadata_properties').set(set).where('id', '=', id).execute()
    return printMetadataProperty({ ...row, ...set })
  },
)

/**
 * Deletes a property. Records keep their values. @returns the property before its deletion. @throws Problem not_found,
 * forbidden, unprocessable
 */
export const deleteMetadataProperty = command(
  'metadata_properties.delete',
  async (db, { user, id }: { user: Actor; id: string }): Promise<MetadataProperty> => {
    const dataset = await lockedDatasetOf(db, 'metadata_properties', id, user)
    const row = pick(await metadataPropertyRows(db, dataset.id), id)
    await refuseInCondition(db, dataset.id, row.name)
    await db.sql.deleteFrom('metadata_properties').where('id', '=', id).execute()
    await enqueueJob(db, dropRows, { dataset_no: dataset.no, args: { property_no: row.no } })
    return printMetadataProperty(row)
  },
)
