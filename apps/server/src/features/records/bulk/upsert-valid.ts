import { sayReason } from '@postil/contract/reasons.ts'
import type { Db } from '#platform/db/db.ts'
import { recordFault } from '../check.ts'
import type { Schema } from '../schema.ts'
import { fieldsOf, lookUp, mergeItem, newTarget, type Target } from '../targets.ts'
import { type BulkArgs, openDataset, rulesOf, storeTargets } from './bulk-commands.ts'
import { unpackRecords } from './pack.ts'
import type { PreparedRecord } from './prepare.ts'

export type RefusedItem = { readonly position: number; readonly item: PreparedRecord; readonly reason: string }
export type UpsertedValid = {
  readonly schema: Schema
  readonly allowExtra: boolean
  readonly created: number
  /** Items that changed a record that was there, or that an item before them made. */
  readonly updated: number
  readonly refused: readonly RefusedItem[]
}

const sayTaken = (id: string | null): string => sayReason('idTaken', { id: JSON.stringify(id) })

/** The items that break a rule, looked at each for itself; writes nothing and asks nobody. */
export const refusedItems = (schema: Schema, allowExtra: boolean, packed: Uint8Array): readonly RefusedItem[] => {
  const rules = { schema, allowExtra, users: new Set<string>() }
  return unpackRecords(packed).flatMap((item, position) => {
    const reason = recordFault(item, rules, null)
    return reason === null ? [] : [{ position, item, reason }]
  })
}

/**
 * Creates or changes records by external id inside another feature's command, as PUT records/bulk does, but leaves out the items
 * that break a rule and says so. Items may share an external id: the later one changes what the earlier one made.
 * @param mustBeNew whether the item at a place is left out too where a record has its external id
 * @throws Problem not_found, forbidden, unprocessable for a dataset that takes no records
 */
export const upsertValid = async (db: Db, args: BulkArgs, mustBeNew: (position: number) => boolean): Promise<UpsertedValid> => {
  const items = unpackRecords(args.packed)
  const open = await openDataset(db, args)
  const rules = await rulesOf(db, open, items)
  const find = await lookUp(db, open.dataset.no, items)
  const byExternalId = new Map<string, Target>()
  const targets = new Set<Target>()
  const refused: RefusedItem[] = []
  let updated = 0
  for (const [position, item] of items.entries()) {
    const { external_id } = item
    const known = external_id === null ? undefined : byExternalId.get(external_id)
    const target = known ?? newTarget(find(item), external_id)
    const isThere = target.stored !== null || known !== undefined
    const reason = isThere && mustBeNew(position) ? sayTaken(external_id) : recordFault(item, rules, fieldsOf(target))
    if (reason !== null) {
      refused.push({ position, item, reason })
      continue
    }
    mergeItem(target, item, open.schema)
    if (isThere) updated += 1
    targets.add(target)
    if (external_id !== null) byExternalId.set(external_id, target)
  }
  if (targets.size > 0) await storeTargets(db, args, open, [...targets])
  const created = [...targets].filter(({ stored }) => stored === null).length
  return { schema: open.schema, allowExtra: open.dataset.allow_extra_metadata, created, updated, refused }
}
