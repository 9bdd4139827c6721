import type { FieldValues } from '@postil/contract/field-values.ts'
import type { JsonObject } from '@postil/contract/wire/json.ts'
import { message, type Reason } from '@postil/contract/wire/message.ts'
import { isUnchanged, loadAnswers, recordResponsesFault } from '#features/responses/public.ts'
import type { Db } from '#platform/db/db.ts'
import { metadataForAnswers, type Rules, recordFault } from '../check.ts'
import type { StoredRecord } from '../rows/stored-record.ts'
import { suggestionsOfRecords } from '../rows/suggestion-rows.ts'
import type { Schema } from '../schema.ts'
import { fieldsOf, findExisting, type Lookup, lockExisting, mergeItem, metadataOf, newTarget, type Target } from '../targets.ts'
import type { Written } from '../write.ts'
import { openDataset, rulesOf, storeTargets } from './bulk-commands.ts'
import type { BulkArgs } from './bulk-pipeline.ts'
import { mergePartial, mergePartialFields, type ProvidedKeys } from './merge-partial.ts'
import { unpackRecords } from './pack.ts'
import { type PreparedRecord, type PreparedResponse, prepareRecord } from './prepare.ts'

export type RefusedItem = { readonly position: number; readonly item: PreparedRecord; readonly reason: Reason }
/** An answer that was sent with an item but not stored. `kept`: the user had already answered the record. */
export type UnstoredAnswer = {
  readonly position: number
  readonly user_id: string
  readonly outcome: 'kept' | 'invalid'
  /** Null if the stored answer is the same. */
  readonly reason: Reason | null
}
export type UpsertedValid = {
  readonly datasetNo: number
  readonly schema: Schema
  readonly allowExtra: boolean
  readonly created: number
  /** Number of items that changed an existing record or a record created by an earlier item. */
  readonly updated: number
  readonly refused: readonly RefusedItem[]
  /** The number of stored answers. */
  readonly answered: number
  readonly unstored: readonly UnstoredAnswer[]
  /** The record of each item. Null for refused items. */
  readonly records: readonly (StoredRecord | null)[]
}

/** Loads the stored suggestions of each record for which an item contains suggestions. */
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
 * For each item, returns the stored fields of the record that the item would change, as JSON. Null if the item creates a record.
 * Must be called inside a query.
 */
export const currentFields = async (db: Db, datasetNo: number, packed: Uint8Array): Promise<readonly (string | null)[]> => {
  const items = unpackRecords(packed)
  const find = await findExisting(db, datasetNo, items)
  return items.map((item) => find(item)?.fields_json ?? null)
}

/**
 * Locks the records with these external IDs, for a command that reads their fields before it changes them. Call it after
 * `openDataset`.
 */
export const lockedRecords = async (
  db: Db,
  datasetNo: number,
  externalIds: readonly string[],
): Promise<(externalId: string) => StoredRecord | null> => {
  const items = new Map(externalIds.map((external_id) => [external_id, prepareRecord({ external_id, fields: {} })]))
  const find = await lockExisting(db, datasetNo, [...items.values()])
  return (externalId) => {
    const item = items.get(externalId)
    return item === undefined ? null : find(item)
  }
}

const withoutAnswers = (item: PreparedRecord): PreparedRecord => (item.responses.length === 0 ? item : { ...item, responses: [] })

/** The content of a record, as far as rules for answers need it. Other parts are not parsed, because they may be large. */
type Content = { readonly fields: string; readonly metadata: JsonObject | null }

const answerFault = (
  sent: PreparedResponse,
  { fields, metadata }: Content,
  { schema, users }: Pick<Rules, 'schema' | 'users'>,
): Reason | null => {
  const content = { fields: schema.readsFields ? (JSON.parse(fields) as FieldValues) : {}, metadata }
  return recordResponsesFault([sent], schema.questions, content, users)
}

/** Reads the answers that are already stored for the items' records, by `seq`. */
const answersAt = (db: Db, datasetNo: number, items: readonly PreparedRecord[], find: Lookup) => {
  const seqs = items.flatMap((item) => (item.responses.length === 0 ? [] : (find(item)?.seq ?? [])))
  return loadAnswers(db, datasetNo, [...new Set(seqs)])
}

/**
 * Divides the answers of an accepted item into answers to store and answers that aren't stored. An answer isn't stored if it is
 * invalid or if its author already has an answer to the record.
 */
const sortAnswers = (
  item: PreparedRecord,
  target: Target,
  stored: Awaited<ReturnType<typeof answersAt>>,
  rules: Rules,
): { readonly fresh: readonly PreparedResponse[]; readonly unstored: readonly Omit<UnstoredAnswer, 'position'>[] } => {
  const fresh: PreparedResponse[] = []
  const unstored: Omit<UnstoredAnswer, 'position'>[] = []
  const content =
    item.responses.length === 0
      ? { fields: '{}', metadata: null }
      : {
          fields: item.fields?.json ?? fieldsOf(target) ?? '{}',
          metadata: metadataForAnswers(item.metadata, metadataOf(target), rules.schema),
        }
  for (const sent of item.responses) {
    const { user_id } = sent
    const current = stored.get(target.stored?.seq ?? -1)?.responses.get(user_id) ?? null
    const earlier = target.responses.flat().some((one) => one.user_id === user_id)
    if (current !== null || earlier) {
      const reason = current !== null && isUnchanged(current, sent) ? null : message('answerKept')
      unstored.push({ user_id, outcome: 'kept', reason })
      continue
    }
    const reason = answerFault(sent, content, rules)
    if (reason === null) fresh.push(sent)
    else unstored.push({ user_id, outcome: 'invalid', reason })
  }
  return { fresh, unstored }
}

/**
 * Returns the answers in `packed` that break a rule of the dataset. Doesn't check the users to whom the answers belong. Doesn't
 * need the database.
 */
export const invalidAnswers = (schema: Schema, packed: Uint8Array): readonly UnstoredAnswer[] =>
  unpackRecords(packed).flatMap((item, position) =>
    item.responses.flatMap((sent) => {
      const content = { fields: item.fields?.json ?? '{}', metadata: metadataForAnswers(item.metadata, null, schema) }
      const users = new Map([[sent.user_id, { is_agent: false }]])
      const reason = answerFault(sent, content, { schema, users })
      return reason === null ? [] : [{ position, user_id: sent.user_id, outcome: 'invalid' as const, reason }]
    }),
  )

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
  const rules = { schema, allowExtra, users: new Map() }
  return unpackRecords(packed).flatMap((withAnswers, position) => {
    const sent = withoutAnswers(withAnswers)
    const fields = current[position] ?? null
    const item = fields === null ? sent : mergePartialFields(sent, fields, providedBy(position))
    const reason = recordFault(item, rules, { fields, metadata: null })
    return reason === null ? [] : [{ position, item, reason }]
  })
}

type UpsertOptions = {
  /**
   * Whether the item at a position must create a record. Such an item is rejected if the record already exists, unless the item
   * contains the ID of this record.
   */
  readonly mustBeNew: (position: number) => boolean
  /** The fields and metadata that the item at a position provides. The record keeps all other fields and metadata. */
  readonly providedBy: (position: number) => ProvidedKeys
}

/**
 * Creates or changes records by ID or external ID inside another feature's command. Unlike PUT records/bulk, it keeps the parts
 * of a record that items don't provide, and reports items that violate a rule instead of failing. If several items refer to the
 * same record, each item changes the result of the previous one. Answers are only added. An answer that a user has already given
 * is kept, and an invalid answer doesn't make its item invalid.
 * @throws Problem not_found, forbidden, unprocessable for a dataset that doesn't accept records
 */
export const upsertValid = async (db: Db, args: BulkArgs, { mustBeNew, providedBy }: UpsertOptions): Promise<UpsertedValid> => {
  const items = unpackRecords(args.packed)
  const open = await openDataset(db, args)
  const rules = await rulesOf(db, { ...open, user: args.user }, items)
  const find = await lockExisting(db, open.dataset.no, items)
  const suggestionsOf = await suggestionsAt(db, open.dataset.no, items, find)
  const storedAnswers = await answersAt(db, open.dataset.no, items, find)
  const targets = new Targets(find)
  const refused: RefusedItem[] = []
  const unstored: UnstoredAnswer[] = []
  let answered = 0
  let updated = 0
  const targetsByPosition = new Map<number, Target>()
  for (const [position, withAnswers] of items.entries()) {
    const sent = withoutAnswers(withAnswers)
    const { external_id } = sent
    const provided = providedBy(position)
    const { target, isKnown } = targets.of(sent)
    const fields = fieldsOf(target)
    const item = fields === null ? sent : mergePartialFields(sent, fields, provided)
    const isIdTaken = fields !== null && (sent.id === null || target.stored?.id !== sent.id) && mustBeNew(position)
    const reason = isIdTaken ? idTakenReason(external_id) : recordFault(item, rules, { fields, metadata: null })
    if (reason !== null) {
      refused.push({ position, item, reason })
      continue
    }
    const current = { metadata: metadataOf(target), suggestions: isKnown ? [] : suggestionsOf(target) }
    const merged = fields === null ? item : mergePartial(item, current, { provided, schema: open.schema })
    const answers = sortAnswers({ ...merged, responses: withAnswers.responses }, target, storedAnswers, rules)
    mergeItem(target, { ...merged, responses: answers.fresh }, open.schema)
    answered += answers.fresh.length
    unstored.push(...answers.unstored.map((one) => ({ ...one, position })))
    if (fields !== null) updated += 1
    targets.accept(target)
    targetsByPosition.set(position, target)
  }
  const accepted = [...targets.accepted]
  const written = accepted.length > 0 ? await storeTargets(db, args, open, accepted) : new Map<Target, Written>()
  const created = accepted.filter(({ stored }) => stored === null).length
  const { allow_extra_metadata: allowExtra } = open.dataset
  const records = items.map((_, position) => {
    const target = targetsByPosition.get(position)
    return (target && written.get(target)?.record) ?? null
  })
  return { datasetNo: open.dataset.no, schema: open.schema, allowExtra, created, updated, refused, answered, unstored, records }
}
