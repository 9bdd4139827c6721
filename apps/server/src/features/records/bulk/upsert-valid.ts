import { sayReason } from '@postil/contract/wire/reasons.ts'
import type { Db } from '#platform/db/db.ts'
import { recordFault } from '../check.ts'
import type { StoredRecord } from '../rows/stored-record.ts'
import { suggestionsOfRecords } from '../rows/suggestion-rows.ts'
import type { Schema } from '../schema.ts'
import { fieldsOf, type Lookup, lookAt, lookUp, mergeItem, metadataOf, newTarget, type Target } from '../targets.ts'
import { type BulkArgs, openDataset, rulesOf, storeTargets } from './bulk-commands.ts'
import { unpackRecords } from './pack.ts'
import type { PreparedRecord } from './prepare.ts'
import { type Spoken, withUnspoken, withUnspokenFields } from './unspoken.ts'

export type RefusedItem = { readonly position: number; readonly item: PreparedRecord; readonly reason: string }
export type UpsertedValid = {
  readonly schema: Schema
  readonly allowExtra: boolean
  readonly created: number
  /** Items that changed a record that was there, or that an item before them made. */
  readonly updated: number
  readonly refused: readonly RefusedItem[]
}

/** Finds the suggestions of records that items suggest something for. */
const suggestionsAt = async (db: Db, datasetNo: number, items: readonly PreparedRecord[], find: Lookup) => {
  const suggesting = items.filter(({ suggestions }) => suggestions !== null && suggestions.length > 0)
  const seqs = new Set(suggesting.flatMap((item) => find(item)?.seq ?? []))
  const bySeq = Map.groupBy(await suggestionsOfRecords(db, datasetNo, [...seqs]), ({ seq }) => seq)
  return ({ stored }: Target) => (stored === null ? [] : (bySeq.get(stored.seq) ?? []))
}

/** The records that items are about, each once. */
class Targets {
  readonly kept = new Set<Target>()
  readonly #find: Lookup
  readonly #stored = new Map<StoredRecord, Target>()
  readonly #made = new Map<string | null, Target>()
  constructor(find: Lookup) {
    this.#find = find
  }

  /** `isKnown`: an item before this one was about it and was kept. */
  of(item: PreparedRecord): { readonly target: Target; readonly isKnown: boolean } {
    const stored = this.#find(item)
    const known = stored === null ? this.#made.get(item.external_id) : this.#stored.get(stored)
    return { target: known ?? newTarget(stored, item.external_id), isKnown: known !== undefined }
  }

  keep(target: Target): void {
    this.kept.add(target)
    if (target.stored !== null) this.#stored.set(target.stored, target)
    else if (target.external_id !== null) this.#made.set(target.external_id, target)
  }
}

const sayTaken = (id: string | null): string => sayReason('idTaken', { id: JSON.stringify(id) })

/** The fields, as JSON, of the record that each item would change; null for a new one. Inside a query. */
export const fieldsStanding = async (db: Db, datasetNo: number, packed: Uint8Array): Promise<readonly (string | null)[]> => {
  const items = unpackRecords(packed)
  const find = await lookAt(db, datasetNo, items)
  return items.map((item) => find(item)?.fields_json ?? null)
}

type Standing = { readonly spokenBy: (position: number) => Spoken; readonly standing: readonly (string | null)[] }

/**
 * The items that break a rule, looked at each for itself; writes nothing and asks nobody.
 * @param standing what `fieldsStanding` found; left out: all are new
 */
export const refusedItems = (
  { schema, allowExtra }: { readonly schema: Schema; readonly allowExtra: boolean },
  packed: Uint8Array,
  { spokenBy, standing }: Standing,
): readonly RefusedItem[] => {
  const rules = { schema, allowExtra, users: new Set<string>() }
  return unpackRecords(packed).flatMap((sent, position) => {
    const fields = standing[position] ?? null
    const item = fields === null ? sent : withUnspokenFields(sent, fields, spokenBy(position))
    const reason = recordFault(item, rules, fields)
    return reason === null ? [] : [{ position, item, reason }]
  })
}

type HowToUpsert = {
  /** Whether the item at a place is left out too where a record has its external id and not its id. */
  readonly mustBeNew: (position: number) => boolean
  /** What the item at a place is about: whatever else its record has stays. */
  readonly spokenBy: (position: number) => Spoken
}

/**
 * Creates or changes records by id or external id inside another feature's command, as PUT records/bulk does, but leaves what items do
 * not speak of as it is, and leaves out the items that break a rule and says so. Items may be about one record: the later one changes
 * what the earlier one made.
 * @throws Problem not_found, forbidden, unprocessable for a dataset that takes no records
 */
export const upsertValid = async (db: Db, args: BulkArgs, { mustBeNew, spokenBy }: HowToUpsert): Promise<UpsertedValid> => {
  const items = unpackRecords(args.packed)
  const open = await openDataset(db, args)
  const rules = await rulesOf(db, open, items)
  const find = await lookUp(db, open.dataset.no, items)
  const suggestionsOf = await suggestionsAt(db, open.dataset.no, items, find)
  const targets = new Targets(find)
  const refused: RefusedItem[] = []
  let updated = 0
  for (const [position, sent] of items.entries()) {
    const { external_id } = sent
    const spoken = spokenBy(position)
    const { target, isKnown } = targets.of(sent)
    const fields = fieldsOf(target)
    const item = fields === null ? sent : withUnspokenFields(sent, fields, spoken)
    const isTaken = fields !== null && (sent.id === null || target.stored?.id !== sent.id) && mustBeNew(position)
    const reason = isTaken ? sayTaken(external_id) : recordFault(item, rules, fields)
    if (reason !== null) {
      refused.push({ position, item, reason })
      continue
    }
    const standing = { metadata: metadataOf(target), suggestions: isKnown ? [] : suggestionsOf(target) }
    mergeItem(target, fields === null ? item : withUnspoken(item, standing, { spoken, schema: open.schema }), open.schema)
    if (fields !== null) updated += 1
    targets.keep(target)
  }
  const kept = [...targets.kept]
  if (kept.length > 0) await storeTargets(db, args, open, kept)
  const created = kept.filter(({ stored }) => stored === null).length
  return { schema: open.schema, allowExtra: open.dataset.allow_extra_metadata, created, updated, refused }
}
