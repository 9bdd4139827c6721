import { type ChangedTexts, indexTexts } from '#features/jobs/service.ts'
import type { RecordWithResponses, Settled } from '#features/responses/service.ts'
import { slotOf, storeBulkResponses, Tally, writeTally } from '#features/responses/service.ts'
import { contentChanged } from '#platform/db/content-version.ts'
import type { Db } from '#platform/db/db.ts'
import { indexKey } from '#platform/db/keys/index-keys.ts'
import { inTurn } from '#platform/db/statements/together.ts'
import type { TextChange, TokenCount } from '#platform/db/text/text-index.ts'
import { type Micros, now } from '#platform/time.ts'
import { metadataIndexRows } from '#question-types/index-rows.ts'
import { Derived, dropDerived } from './rows/derived.ts'
import { allocateSeqs, contentOf, countInBlocks, insertRecords, keepRecordImages, updateRecords } from './rows/record-rows.ts'
import type { StoredRecord } from './rows/stored-record.ts'
import type { SuggestionRow } from './rows/suggestion-rows.ts'
import { storeSuggestions } from './rows/suggestion-rows.ts'
import { storeVectors } from './rows/vector-rows.ts'
import type { Schema } from './schema.ts'
import type { ScopeDataset } from './scope.ts'
import type { Target } from './targets.ts'
import { readsFirst, storedTokens, tokensOf } from './text.ts'

export type Batch = { readonly dataset: ScopeDataset; readonly schema: Schema; readonly actor: string }
/** A record as it stands after the command. */
export type Written = {
  readonly isNew: boolean
  readonly record: StoredRecord
  /** Those that were sent, in their order. */
  readonly suggestions: readonly SuggestionRow[]
}
/** Tokens of the items of a bulk. `found`: by how much each token's count grows when each item is a new record and `readsFirst`. */
export type LaterTokens = { readonly items: number; readonly found: readonly TokenCount[] | null }
export type WriteOptions = {
  /** Moves `updated_at` also of records whose content stays. */
  readonly touch?: boolean
  /** Waits for the tokens of records that come after them. */
  readonly tokens?: () => Promise<LaterTokens | null>
}

/** When a record that is there changes; null when it does not, or when it was changed here later than where it comes from. */
const changedAt = ({ stored, kept }: Target, moves: boolean): Micros | null => {
  if (stored === null) return null
  if (kept === null) return moves ? now() : null
  return kept.updated_at > stored.updated_at ? kept.updated_at : null
}

type Working = ReturnType<typeof contentOf> & { readonly target: Target; seq: number; at: Micros | null }

/** Metadata rows of new records and of those whose metadata changes. */
const indexMetadata = async (
  db: Db,
  { dataset, schema }: Batch,
  derived: Derived,
  working: readonly Working[],
): Promise<void> => {
  const changed = working.filter(({ metadataChanged }) => metadataChanged)
  await dropDerived(
    db,
    dataset.no,
    changed.filter(({ target }) => target.stored !== null).map(({ seq }) => seq),
    schema.properties.map(({ no }) => indexKey(no)),
  )
  for (const { seq, target } of changed) {
    const value = target.metadata?.value ?? {}
    for (const property of schema.properties) {
      if (Object.hasOwn(value, property.name)) derived.add(seq, metadataIndexRows(property, value[property.name] ?? null))
    }
  }
}

const textChanges = ({ schema }: Batch, working: readonly Working[]): readonly TextChange[] =>
  working.flatMap(({ seq, target: { stored, fields }, fieldsChanged }) =>
    fields === null || !fieldsChanged
      ? []
      : [{ seq, before: stored && storedTokens(stored.fields_json, schema), after: tokensOf(fields, schema) }],
  )

/** Full text of records, near the end of what a bulk writes: their tokens come after them. */
const writeText = async (
  db: Db,
  batch: Batch,
  working: readonly Working[],
  tokens: NonNullable<WriteOptions['tokens']>,
): Promise<void> => {
  const texts = async (): Promise<ChangedTexts> => {
    const later = await tokens()
    const areAsFound = working.every(
      ({ target: { stored, fields } }) => stored === null && (fields === null || readsFirst(fields, batch.schema)),
    )
    const found = areAsFound && later?.items === working.length ? later.found : null
    return { changes: textChanges(batch, working), counts: found ?? undefined }
  }
  const areNew = working.every(({ target }) => target.stored === null)
  await indexTexts(db, batch.dataset.no, areNew ? (working[0]?.seq ?? null) : null, texts)
}

/** Rows of the records themselves, their history and their blocks. @returns the records as they stand, by `seq` */
const writeRecords = async (
  db: Db,
  { dataset, actor }: Batch,
  working: readonly Working[],
): Promise<Map<number, StoredRecord>> => {
  const fresh = working.filter(({ target }) => target.stored === null)
  const standing = new Map<number, StoredRecord>()
  for (const record of await insertRecords(db, dataset.no, fresh)) standing.set(record.seq, record)
  const changed: StoredRecord[] = []
  const before: StoredRecord[] = []
  for (const { seq, at, target, fields_json, metadata_json, fieldsChanged, metadataChanged } of working) {
    if (target.stored === null) continue
    const record = { ...target.stored, fields_json, metadata_json, ...(at !== null && { updated_at: at }) }
    standing.set(seq, record)
    if (at === null) continue
    changed.push(record)
    if (fieldsChanged || metadataChanged) before.push(target.stored)
  }
  await updateRecords(db, dataset.no, changed)
  await keepRecordImages(db, dataset.no, before, { action: 'update', actor })
  return standing
}

/** Answers that came with the records, and all counters, which are written once: after all else, in every command. */
const writeResponses = async (
  db: Db,
  { dataset, schema, actor }: Batch,
  working: readonly Working[],
  standing: ReadonlyMap<number, StoredRecord>,
): Promise<ReadonlyMap<number, Settled>> => {
  const items = working.flatMap(({ seq, target }): RecordWithResponses[] => {
    const record = standing.get(seq)
    const keepsTime = target.kept !== null
    return record === undefined ? [] : target.responses.map((responses) => ({ record, responses, keepsTime }))
  })
  const tally = new Tally()
  tally.addRecord('pending', working.filter(({ target }) => target.stored === null).length)
  if (items.length > 0) return storeBulkResponses(db, { dataset, questions: schema.questions, actor, items, tally })
  await writeTally(db, dataset.no, slotOf(actor), tally)
  return new Map()
}

/** Whether something changes that was there before, beside answers. */
const changesContent = ({ target, at }: Working): boolean =>
  target.stored !== null && (at !== null || target.suggestions.size > 0 || target.replaceSuggestions || target.vectors.size > 0)

/**
 * Creates and changes records with everything that hangs on them, in the caller's transaction. What targets want has
 * been checked, and stored records are locked. Call it last: it takes the numbers at which writers of the dataset queue up, and
 * ends with counters.
 * @returns the targets as they stand, in their order
 */
export const writeTargets = async (
  db: Db,
  batch: Batch,
  targets: readonly Target[],
  { touch = false, tokens = async () => null }: WriteOptions = {},
): Promise<readonly Written[]> => {
  const { dataset, schema } = batch
  const working = targets.map((target): Working => {
    const content = contentOf(target)
    const at = changedAt(target, touch || content.fieldsChanged || content.metadataChanged)
    return { ...content, target, seq: target.stored?.seq ?? -1, at }
  })
  const fresh = working.filter(({ target }) => target.stored === null)
  if (fresh.length > 0) {
    const first = await allocateSeqs(db, dataset.no, fresh.length)
    for (const [i, one] of fresh.entries()) one.seq = first + i
  }
  if (working.some(changesContent)) await contentChanged(db, dataset.no)
  const changes = working.map(({ seq, target }) => ({
    seq,
    isNew: target.stored === null,
    suggestions: target.suggestions,
    replace: target.replaceSuggestions,
    vectors: target.vectors,
  }))
  const metadataAndSuggestions = async () => {
    const derived = new Derived(dataset.no)
    await indexMetadata(db, batch, derived, working)
    await db.dialect.sent()
    return storeSuggestions(db, dataset.no, schema, { changes, derived })
  }
  const newSeqs = fresh.map(({ seq }) => seq)
  const [standing, suggestions] = await inTurn(db.dialect.sent, [
    () => writeRecords(db, batch, working),
    metadataAndSuggestions,
    () => storeVectors(db, dataset.no, changes),
    () => writeText(db, batch, working, tokens),
    () => countInBlocks(db, dataset.no, newSeqs, 1),
  ])
  const settled = await writeResponses(db, batch, working, standing)
  return working.map(({ seq, target }) => {
    const record = standing.get(seq)
    if (record === undefined) throw new Error('a record was not written')
    const outcome = settled.get(seq)
    return {
      isNew: target.stored === null,
      record: outcome === undefined ? record : { ...record, ...outcome, updated_at: outcome.updated_at ?? record.updated_at },
      suggestions: suggestions.get(seq) ?? [],
    }
  })
}
