import { forbidden, unprocessable } from '@postil/contract/wire/errors.ts'
import { includeAll } from '@postil/contract/wire/query-lists.ts'
import { renderMessage } from '@postil/contract/wire/render-message.ts'
import { knownUsers, resolveSentAnswers } from '#features/responses/public.ts'
import { type Actor, refuseAgent } from '#platform/auth/actor.ts'
import type { Db } from '#platform/db/db.ts'
import { command, type LateInput } from '#platform/db/operations.ts'
import type { Rules } from '../check.ts'
import { recordFault } from '../check.ts'
import { emitRecords } from '../events.ts'
import { presentPage, type RecordBatches, splitIntoBatches } from '../page.ts'
import { recordPolicy } from '../policy.ts'
import { fullView } from '../present.ts'
import type { StoredRecord } from '../rows/stored-record.ts'
import type { Schema } from '../schema.ts'
import { loadSchema } from '../schema.ts'
import type { ScopeDataset } from '../scope.ts'
import { datasetScope, lockBulkOrder } from '../scope.ts'
import type { Lookup, Target } from '../targets.ts'
import { fieldsOf, lockExisting, mergeItem, metadataOf, newTarget, takenExternalIds } from '../targets.ts'
import type { WriteOptions, Written } from '../write.ts'
import { writeTargets } from '../write.ts'
import type { BulkArgs, BulkOutcome } from './bulk-pipeline.ts'
import { takeTokens, unpackBulk } from './pack.ts'
import type { PreparedRecord } from './prepare.ts'

/**
 * If the user can add records, returns the dataset with its schema and locks both against changes. @throws Problem not_found,
 * forbidden, unprocessable
 */
export const openDataset = async (
  db: Db,
  { user, dataset_id }: Pick<BulkArgs, 'user' | 'dataset_id'>,
): Promise<{ dataset: ScopeDataset; schema: Schema }> => {
  await lockBulkOrder(db, dataset_id)
  const dataset = await datasetScope(db, dataset_id, user, { hold: true })
  if (!recordPolicy.create(user, dataset)) throw forbidden()
  if (dataset.status !== 'ready') {
    throw unprocessable(`Dataset with id \`${dataset_id}\` is not published. Publish it before you add records`)
  }
  return { dataset, schema: await loadSchema(db, dataset.id) }
}

export const rulesOf = async (
  db: Db,
  { user, dataset, schema }: { readonly user: Actor; readonly dataset: ScopeDataset; readonly schema: Schema },
  items: readonly PreparedRecord[],
): Promise<Rules> => {
  const authors = items.flatMap(({ responses }) => responses.map(({ user_id }) => user_id))
  if (authors.length > 0) refuseAgent(user)
  return { schema, allowExtra: dataset.allow_extra_metadata, users: await knownUsers(db, authors) }
}

const MAX_ID_SHOWN = 200

/**
 * Names an item in an error message, by its position in the list and its external ID. The position alone is ambiguous, because
 * clients split long lists into parts and positions start over in each part.
 */
const placeOf = ({ external_id }: PreparedRecord, position: number): string =>
  external_id === null
    ? `${position}`
    : `${position} with id ${JSON.stringify(external_id.slice(0, MAX_ID_SHOWN).toWellFormed())}`

/**
 * Finds or creates each item's record and merges the item into it, in order.
 * @returns the target of each item
 * @throws Problem unprocessable at the first item that violates a rule
 */
const targetsOf = (items: readonly PreparedRecord[], rules: Rules, find: Lookup): readonly Target[] => {
  const found = new Map<StoredRecord, Target>()
  return items.map((item, position) => {
    const stored = find(item)
    const target = (stored && found.get(stored)) ?? newTarget(stored, stored === null ? item.external_id : stored.external_id)
    if (stored !== null) found.set(stored, target)
    const fault = recordFault(item, rules, { fields: fieldsOf(target), metadata: metadataOf(target) })
    if (fault !== null)
      throw unprocessable(`Record at position ${placeOf(item, position)} is not valid because ${renderMessage(fault)}`)
    mergeItem(target, item, rules.schema)
    return target
  })
}

const everything = { include: includeAll, viewer: fullView }

/**
 * Reads records back for the response. New records without answers aren't read, because the caller can build their part of the
 * response itself. If the records are too large for one read, returns batches of all records, including the new ones. The caller
 * reads these batches after the transaction.
 */
const outcomeOf = async (
  db: Db,
  dataset: ScopeDataset,
  targets: readonly Target[],
  written: ReadonlyMap<Target, Written>,
): Promise<BulkOutcome | RecordBatches> => {
  const isPlain = (target: Target) => target.stored === null && target.responses.length === 0
  const seqs = [...written].flatMap(([target, { record }]) => (isPlain(target) ? [] : [record.seq]))
  const page = await presentPage(db, dataset, seqs, everything)
  if ('batches' in page) {
    const all = targets.flatMap((target) => written.get(target)?.record.seq ?? [])
    return splitIntoBatches(db, dataset, all, everything)
  }
  const texts = new Map(page.presented.map(({ seq, text }) => [seq, text]))
  const plain = targets.flatMap((target) => (isPlain(target) ? (written.get(target) ?? []) : []))
  const suggestions = plain.flatMap((one) => one.suggestions)
  return {
    texts: targets.map((target) => texts.get(written.get(target)?.record.seq ?? -1) ?? null),
    ids: plain.map(({ record }) => record.id),
    times: plain.map(({ record }) => record.inserted_at),
    suggestionIds: suggestions.map(({ id }) => id),
    suggestionTimes: suggestions.map(({ inserted_at }) => inserted_at),
  }
}

/** Stores the targets and sends a webhook event for each. */
export const storeTargets = async (
  db: Db,
  { user }: { readonly user: Actor },
  { dataset, schema }: { dataset: ScopeDataset; schema: Schema },
  targets: readonly Target[],
  options: WriteOptions = {},
): Promise<ReadonlyMap<Target, Written>> => {
  const distinct = [...new Set(targets)]
  const results = await writeTargets(db, { dataset, schema, actor: user.id }, distinct, options)
  const written = new Map(results.map((one, i) => [distinct[i] as Target, one]))
  const events = targets.flatMap((target) => {
    const one = written.get(target)
    if (one === undefined) return []
    return [{ event: one.isNew ? ('record.created' as const) : ('record.updated' as const), record: one.record }]
  })
  await emitRecords(db, dataset.no, events)
  return written
}

const writeBulk = async (
  db: Db,
  args: BulkArgs,
  lockedBulk: { dataset: ScopeDataset; schema: Schema },
  targets: readonly Target[],
  tokens: NonNullable<WriteOptions['tokens']>,
): Promise<BulkOutcome | RecordBatches> =>
  outcomeOf(db, lockedBulk.dataset, targets, await storeTargets(db, args, lockedBulk, targets, { tokens }))

/** Returns the items of a bulk request and a function that waits for their tokens, which may arrive later. */
const unpack = ({ packed }: BulkArgs, lateInput: LateInput | undefined) => {
  const { items, tokens } = unpackBulk(packed)
  const receiveTokens = async () => {
    const packedTokens = (await lateInput?.()) ?? null
    if (packedTokens !== null) takeTokens(tokens, packedTokens)
    return { items: items.length, found: tokens.found() }
  }
  return { items, tokens: receiveTokens }
}

/** Creates either all records or none. @throws Problem not_found, forbidden, unprocessable */
export const createRecords = command(
  'records.create',
  async (db, args: BulkArgs, lateInput): Promise<BulkOutcome | RecordBatches> => {
    const { items, tokens } = unpack(args, lateInput)
    const lockedBulk = await openDataset(db, args)
    const taken = await takenExternalIds(db, lockedBulk.dataset.no, items)
    if (taken.length > 0) {
      const shown = taken.slice(0, 20).map((id) => JSON.stringify(id))
      throw unprocessable(`Found records with same external ids: ${shown.join(', ')}${taken.length > 20 ? ', …' : ''}`)
    }
    const rules = await rulesOf(db, { ...lockedBulk, user: args.user }, items)
    const targets = targetsOf(items, rules, () => null)
    return writeBulk(db, args, lockedBulk, targets, tokens)
  },
)

/** Creates or changes either all of the records or none of them. @throws Problem not_found, forbidden, unprocessable */
export const upsertRecords = command(
  'records.upsert',
  async (db, args: BulkArgs, lateInput): Promise<BulkOutcome | RecordBatches> => {
    const { items, tokens } = unpack(args, lateInput)
    const lockedBulk = await openDataset(db, args)
    const rules = await rulesOf(db, { ...lockedBulk, user: args.user }, items)
    const find = await lockExisting(db, lockedBulk.dataset.no, items)
    const place = { datasetNo: lockedBulk.dataset.no, questions: lockedBulk.schema.questions }
    const resolvedItems = await resolveSentAnswers(db, place, items, (item) => find(item)?.seq ?? null)
    return writeBulk(db, args, lockedBulk, targetsOf(resolvedItems, rules, find), tokens)
  },
)
