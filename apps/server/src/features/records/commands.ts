import { forbidden, notFound, unprocessable } from '@postil/contract/wire/errors.ts'
import { type Include, includeAll, includeNothing, parseIds } from '@postil/contract/wire/query-lists.ts'
import { renderMessage } from '@postil/contract/wire/render-message.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { command } from '#platform/db/operations.ts'
import { unpackRecords } from './bulk/pack.ts'
import type { PreparedRecord } from './bulk/prepare.ts'
import { recordFault } from './check.ts'
import { emitRecords } from './events.ts'
import { recordPolicy } from './policy.ts'
import { fullView, presentRecords } from './present.ts'
import { removeRecords } from './remove.ts'
import type { StoredRecord } from './rows/stored-record.ts'
import { loadSchema } from './schema.ts'
import type { ScopeDataset } from './scope.ts'
import { datasetScope, recordScope } from './scope.ts'
import { lockRecords, mergeItem, newTarget } from './targets.ts'
import { writeTargets } from './write.ts'

type OfRecord = { readonly user: Actor; readonly record_id: string }

const lockRecord = async (
  db: Db,
  { user, record_id }: OfRecord,
  action: 'update' | 'delete',
): Promise<{ dataset: ScopeDataset; stored: StoredRecord }> => {
  const { dataset, record } = await recordScope(db, record_id, user, { hold: true })
  if (!recordPolicy[action](user, dataset)) throw forbidden()
  const [stored] = await lockRecords(db, dataset.no, [record.seq])
  if (stored === undefined) throw notFound('Record', record_id)
  return { dataset, stored }
}

const isEmpty = ({ fields, metadata, suggestions, vectors }: PreparedRecord): boolean =>
  fields === null && metadata === null && suggestions === null && vectors.length === 0

/**
 * Changes a record. If suggestions are sent, they replace all existing suggestions. An update that changes nothing writes
 * nothing.
 * @returns the record as JSON
 * @throws Problem not_found, forbidden, unprocessable
 */
export const updateRecord = command(
  'records.update',
  async (db, { packed, ...args }: OfRecord & { readonly packed: Uint8Array }): Promise<string> => {
    const { dataset, stored } = await lockRecord(db, args, 'update')
    const [item] = unpackRecords(packed)
    if (item !== undefined && !isEmpty(item)) {
      const schema = await loadSchema(db, dataset.id)
      const rules = { schema, allowExtra: dataset.allow_extra_metadata, users: new Map() }
      const fault = recordFault(item, rules, { fields: stored.fields_json, metadata: stored.metadata_json })
      if (fault !== null) throw unprocessable(`Record is not valid because ${renderMessage(fault)}`)
      const target = newTarget(stored, stored.external_id)
      mergeItem(target, item, schema)
      target.replaceSuggestions = item.suggestions !== null
      const [written] = await writeTargets(db, { dataset, schema, actor: args.user.id }, [target], { touch: true })
      if (written !== undefined) await emitRecords(db, dataset.no, [{ event: 'record.updated', record: written.record }])
      if (target.replaceSuggestions)
        return presentOne(db, dataset, stored.seq, { suggestionIds: written?.suggestions.map(({ id }) => id) })
    }
    return presentOne(db, dataset, stored.seq)
  },
)

type Shown = { readonly include?: Include; readonly suggestionIds?: readonly string[] | undefined }

const presentOne = async (
  db: Db,
  dataset: ScopeDataset,
  seq: number,
  { include = includeAll, suggestionIds }: Shown = {},
): Promise<string> => {
  const [presented] = await presentRecords(db, dataset, [seq], { include, suggestionIds, viewer: fullView })
  if (presented === undefined) throw new Error('a locked record was not found')
  return presented.text
}

/** @returns the record before its deletion, as JSON. @throws Problem not_found, forbidden */
export const deleteRecord = command('records.delete', async (db, args: OfRecord): Promise<string> => {
  const { dataset, stored } = await lockRecord(db, args, 'delete')
  const text = await presentOne(db, dataset, stored.seq, { include: includeNothing })
  await removeRecords(db, { dataset, actor: args.user.id, records: [stored] })
  return text
})

/**
 * Deletes records of a dataset. IDs that don't belong to the dataset are skipped. @throws Problem not_found, forbidden,
 * unprocessable
 */
export const deleteRecords = command(
  'records.delete-many',
  async (
    db,
    { user, dataset_id, ids }: { readonly user: Actor; readonly dataset_id: string; readonly ids: string },
  ): Promise<void> => {
    const dataset = await datasetScope(db, dataset_id, user, { hold: true })
    if (!recordPolicy.delete(user, dataset)) throw forbidden()
    const places = await db.sql
      .selectFrom('records')
      .select('seq')
      .where('dataset_no', '=', dataset.no)
      .where('id', 'in', parseIds(ids))
      .orderBy('seq')
      .execute()
    const records = await lockRecords(
      db,
      dataset.no,
      places.map(({ seq }) => seq),
    )
    await removeRecords(db, { dataset, actor: user.id, records })
  },
)
