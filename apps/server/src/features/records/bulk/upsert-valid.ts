import { message, type Reason } from '@postil/contract/wire/message.ts'
import type { Db } from '#platform/db/db.ts'
import { recordFault } from '../check.ts'
import type { StoredRecord } from '../rows/stored-record.ts'
import { suggestionsOfRecords } from '../rows/suggestion-rows.ts'
import type { Schema } from '../schema.ts'
import { fieldsOf, findExisting, type Lookup, lockExisting, mergeItem, metadataOf, newTarget, type Target } from '../targets.ts'
import { openDataset, rulesOf, storeTargets } from './bulk-commands.ts'
import type { BulkArgs } from './bulk-pipeline.ts'
import { mergePartial, mergePartialFields, type ProvidedKeys } from './merge-partial.ts'
import { unpackRecords } from './pack.ts'
import type { PreparedRecord } from './prepare.ts'

export type RefusedItem = { readonly position: number; readonly item: PreparedRecord; readonly reason: Reason }
export type UpsertedValid = {
  readonly schema: Schema
  readonly allowExtra: boolean
  readonly created: number
  /** Number of items that changed an existing record or a record created by an earlier item. */
  readonly updated: number
  readonly refused: readonly RefusedItem[]
}

/** Finds the stored suggestions of those records for which items contain suggestions. */
const suggestionsAt = async (db: Db, datasetNo: number, items: readonly PreparedRecord[], find: Lookup) => {
  const suggesting = items.filter(({ suggestions }) => suggestions !== null && suggestions.length > 0)
  const seqs = new Set(suggesting.flatMap((item) => find(item)?.seq ?? []))
  const bySeq = Map.groupBy(await suggestionsOfRecords(db, datasetNo, [...seqs]), ({ seq }) => seq)
  return ({ stored }: Target) => (stored === null ? [] : (bySeq.get(stored.seq) ?? []))
}

/** The distinct records that items refer to. */
class Targets {
  readonly accepted = new Set<Target>()
  readonly #find: Lookup
  readonly #stored = new Map<StoredRecord, Target>()
  readonly #made = new Map<string | null, Target>()
  constructor(find: Lookup) {
    this.#find = find
  }

  /** `isKnown`: an earlier item referred to the same record and was accepted. */
  of(item: PreparedRecord): { readonly target: Target; readonly isKnown: boolean } {
    const stored = this.#find(item)
    const known = stored === null ? this.#made.get(item.external_id) : this.#stored.get(stored)
    return { target: known ?? newTarget(stored, item.external_id), isKnown: known !== undefined }
  }

  accept(target: Target): void {
    this.accepted.add(target)
    if (target.stored !== null) this.#stored.set(target.stored, target)
    else if (target.external_id !== null) this.#made.set(target.external_id, target)
  }
}

const idTakenReason = (id: string | null): Reason => message('idTaken', { id: JSON.stringify(id) })

/**
 * Returns the stored fields, as JSON, of the record that each item would change; null for a new record. Call it inside a query.
 */
export const currentFields = async (db: Db, datasetNo: number, packed: Uint8Array): Promise<readonly (string | null)[]> => {
  const items = unpackRecords(packed)
  const find = await findExisting(db, datasetNo, items)
  return items.map((item) => find(item)?.fields_json ?? null)
}

type PartialUpsert = { readonly providedBy: (position: number) => ProvidedKeys; readonly current: readonly (string | null)[] }

/**
 * Returns the items that violate a rule, each checked independently. Doesn't need the database.
 * @param current the result of `currentFields`; null for a new record
 */
export const refusedItems = (
  { schema, allowExtra }: { readonly schema: Schema; readonly allowExtra: boolean },
  packed: Uint8Array,
  { providedBy, current }: PartialUpsert,
): readonly RefusedItem[] => {
  const rules = { schema, allowExtra, users: new Set<string>() }
  return unpackRecords(packed).flatMap((sent, position) => {
    const fields = current[position] ?? null
    const item = fields === null ? sent : mergePartialFields(sent, fields, providedBy(position))
    const reason = recordFault(item, rules, fields)
    return reason === null ? [] : [{ position, item, reason }]
  })
}

type UpsertOptions = {
  /**
   * Whether the item at a position must not update a record that it identifies only by its external ID. Such an item is rejected.
   */
  readonly mustBeNew: (position: number) => boolean
  /** The fields and metadata that the item at a position covers. The record keeps all other fields and metadata. */
  readonly providedBy: (position: number) => ProvidedKeys
}

/**
 * Creates or changes records by ID or external ID inside another feature's command. Unlike PUT records/bulk, it keeps the parts
 * that items don't cover, and reports items that violate a rule instead of failing. If several items refer to the same record,
 * each item changes the result of the previous one.
 * @throws Problem not_found, forbidden, unprocessable for a dataset that doesn't accept records
 */
export const upsertValid = async (db: Db, args: BulkArgs, { mustBeNew, providedBy }: UpsertOptions): Promise<UpsertedValid> => {
  const items = unpackRecords(args.packed)
  const open = await openDataset(db, args)
  const rules = await rulesOf(db, open, items)
  const find = await lockExisting(db, open.dataset.no, items)
  const suggestionsOf = await suggestionsAt(db, open.dataset.no, items, find)
  const targets = new Targets(find)
  const refused: RefusedItem[] = []
  let updated = 0
  for (const [position, sent] of items.entries()) {
    const { external_id } = sent
    const provided = providedBy(position)
    const { target, isKnown } = targets.of(sent)
    const fields = fieldsOf(target)
    const item = fields === null ? sent : mergePartialFields(sent, fields, provided)
    const isIdTaken = fields !== null && (sent.id === null || target.stored?.id !== sent.id) && mustBeNew(position)
    const reason = isIdTaken ? idTakenReason(external_id) : recordFault(item, rules, fields)
    if (reason !== null) {
      refused.push({ position, item, reason })
      continue
    }
    const current = { metadata: metadataOf(target), suggestions: isKnown ? [] : suggestionsOf(target) }
    mergeItem(target, fields === null ? item : mergePartial(item, current, { provided, schema: open.schema }), open.schema)
    if (fields !== null) updated += 1
    targets.accept(target)
  }
  const accepted = [...targets.accepted]
  if (accepted.length > 0) await storeTargets(db, args, open, accepted)
  const created = accepted.filter(({ stored }) => stored === null).length
  return { schema: open.schema, allowExtra: open.dataset.allow_extra_metadata, created, updated, refused }
}
