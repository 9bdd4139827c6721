import { conflict, forbidden } from '@postil/contract/wire/errors.ts'
import { message } from '@postil/contract/wire/message.ts'
import { knownUsers, type SentResponse } from '#features/responses/public.ts'
import type { Db } from '#platform/db/db.ts'
import { command } from '#platform/db/operations.ts'
import { newDatasetId } from '#platform/ids.ts'
import type { OriginalRow } from '#platform/original-row.ts'
import type { BulkArgs } from '../bulk/bulk-pipeline.ts'
import { unpackRecords } from '../bulk/pack.ts'
import type { PreparedRecord, PreparedSuggestion } from '../bulk/prepare.ts'
import { recordPolicy } from '../policy.ts'
import { loadSchema, type Schema } from '../schema.ts'
import { datasetScope, lockBulkOrder } from '../scope.ts'
import { lockExisting, mergeItem, newTarget, type Target } from '../targets.ts'
import { writeTargets } from '../write.ts'
import { acceptedParts, type LeftOut } from './adopt-rules.ts'
import { type ExistingRows, loadExisting } from './existing-rows.ts'

/**
 * IDs and times of a record, and of its answers and suggestions. The lists have the same order as in the packed record. `seq`:
 * undefined if it isn't known.
 */
export type OriginalRecord = OriginalRow & {
  readonly seq?: number | undefined
  readonly responses: readonly OriginalRow[]
  readonly suggestions: readonly OriginalRow[]
}
type AdoptArgs = BulkArgs & {
  /** One for each packed record. */
  readonly originals: readonly OriginalRecord[]
  /** The IDs of the other server's snapshots. */
  readonly snapshots: readonly string[]
}
type Adopted = { readonly created: number; readonly changed: number; readonly leftOut: readonly LeftOut[] }

type AdoptContext = { readonly schema: Schema; readonly existing: ExistingRows; readonly datasetNo: number }

/**
 * Returns the answers that this server lacks or has only in an older version. An answer that was deleted here gets a new ID.
 */
const newerAnswers = (
  list: readonly SentResponse[],
  seq: number | null,
  { existing, datasetNo }: AdoptContext,
): readonly SentResponse[] =>
  list.flatMap((one) => {
    const { user_id, original } = one
    if (original === undefined) return []
    if (seq !== null && original.updated_at <= existing.responseAt(seq, user_id, original.id)) return []
    return [existing.wasDeleted(original.id) ? { ...one, original: { ...original, id: newDatasetId(datasetNo) } } : one]
  })

/** Plans the change to a record. Keeps only the parts of an item that are missing here or newer than the stored ones. */
const planRecord = (target: Target, item: PreparedRecord, context: AdoptContext): void => {
  const { stored, original, suggestions, vectors, responses } = target
  const { schema, existing } = context
  const isNewer = stored === null || (original !== null && original.updated_at > stored.updated_at)
  mergeItem(target, isNewer ? item : { ...item, fields: null, metadata: null }, schema)
  const answers = newerAnswers(responses.flat(), stored?.seq ?? null, context)
  responses.splice(0, responses.length, ...(answers.length > 0 ? [answers] : []))
  if (stored === null) return
  for (const [no, { original: own }] of suggestions) {
    if ((own?.updated_at ?? 0) <= existing.suggestionAt(stored.seq, no)) suggestions.delete(no)
  }
  for (const [no, { numbers }] of vectors) {
    if (existing.hasVector(stored.seq, no, numbers)) vectors.delete(no)
  }
}

const hasChanges = ({ stored, original, suggestions, vectors, responses }: Target): boolean =>
  stored === null ||
  (original !== null && original.updated_at > stored.updated_at) ||
  suggestions.size + vectors.size + responses.length > 0

/**
 * Refuses to copy answers to a dataset if any of its snapshots was created on this server. Copied answers keep their IDs and
 * times, so Postil couldn't tell whether an answer was added after a snapshot. @throws Problem conflict
 */
const refuseSnapshots = async (db: Db, datasetNo: number, copied: readonly string[]): Promise<void> => {
  const stored = await db.sql.selectFrom('snapshots').select('id').where('dataset_no', '=', datasetNo).execute()
  if (stored.some(({ id }) => !copied.includes(id))) throw conflict(message('snapshotsPreventCopy'))
}

/**
 * Copies records from another server with their IDs, times and everything that belongs to them. Existing data is kept unless
 * the incoming version is newer, so a repeated run changes nothing. Sends no webhook events, because the data was only moved.
 * Draft datasets accept records too, because other servers may allow that.
 * @returns how many records were created and changed, and which parts were left out
 * @throws Problem not_found, forbidden, conflict
 */
export const adoptRecords = command('records.adopt', async (db: Db, args: AdoptArgs): Promise<Adopted> => {
  const { user, dataset_id, packed, originals, snapshots } = args
  await lockBulkOrder(db, dataset_id)
  const dataset = await datasetScope(db, dataset_id, user, { hold: true })
  if (!recordPolicy.create(user, dataset)) throw forbidden()
  await refuseSnapshots(db, dataset.no, snapshots)
  const schema = await loadSchema(db, dataset.id)
  const items = unpackRecords(packed)
  const authors = items.flatMap(({ responses }) => responses.map(({ user_id }) => user_id))
  const users = await knownUsers(db, authors)
  const find = await lockExisting(db, dataset.no, items)
  const found = items.map(find)
  const seqs = found.flatMap((record) => (record === null ? [] : [record.seq]))
  const responseIds = originals.flatMap(({ responses }) => responses.map(({ id }) => id))
  const existing = await loadExisting(db, dataset.no, { seqs: [...new Set(seqs)], responseIds })
  const context = { schema, existing, datasetNo: dataset.no }
  const leftOut: LeftOut[] = []
  const targets: Target[] = []
  const claimed = new Set<unknown>()
  for (const [i, item] of items.entries()) {
    const stored = found[i] ?? null
    const own = originals[i]
    if (own === undefined) throw new Error('a record has no ID')
    const { id, seq, inserted_at, updated_at } = own
    const report = (part: string, reason: string) => leftOut.push({ record_id: id, part, reason })
    const claim = stored ?? item.external_id
    if (claim !== null && claimed.has(claim)) {
      report('the record', `another record has the external ID ${JSON.stringify(item.external_id)}`)
      continue
    }
    claimed.add(claim)
    const accepted = acceptedParts(item, { schema, users, stored: stored?.fields_json ?? null }, report)
    if (accepted === null) continue
    const target = newTarget(stored, stored === null ? item.external_id : stored.external_id, {
      ...{ id, seq, inserted_at, updated_at },
    })
    planRecord(target, withOriginals(accepted.item, own, accepted), context)
    if (hasChanges(target)) targets.push(target)
  }
  if (targets.length > 0) await writeTargets(db, { dataset, schema, actor: user.id }, targets)
  const created = targets.filter(({ stored }) => stored === null).length
  return { created, changed: targets.length - created, leftOut }
})

type Places = { readonly responses: readonly number[]; readonly suggestions: readonly number[] }

/** Returns the item with only the answers and suggestions at the given places, each with its ID and times on the other server. */
const withOriginals = (item: PreparedRecord, own: OriginalRecord, places: Places): PreparedRecord => {
  const { responses, suggestions } = item
  const sent = suggestions ?? []
  return {
    ...item,
    responses: places.responses.flatMap((context) => {
      const one = responses[context]
      return one === undefined ? [] : [{ ...one, original: own.responses[context] }]
    }),
    suggestions: places.suggestions.flatMap((context): PreparedSuggestion[] => {
      const one = sent[context]
      return one === undefined ? [] : [{ ...one, original: own.suggestions[context] }]
    }),
  }
}
