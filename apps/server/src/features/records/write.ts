import { autoGoldOf, outdateGold, publisherOf } from '#features/gold/public.ts'
import { type ChangedTexts, indexTexts } from '#features/jobs/public.ts'
import {
  applyAnswers,
  loadAnswers,
  recordStatus,
  type SentResponse,
  type Settled,
  Tally,
  writeTally,
} from '#features/responses/public.ts'
import { contentChanged } from '#platform/db/content-version.ts'
import type { Db } from '#platform/db/db.ts'
import { indexKey } from '#platform/db/keys/index-keys.ts'
import { pipelineInOrder } from '#platform/db/statements/pipeline.ts'
import type { TextChange, TokenCount } from '#platform/db/text/text-index.ts'
import { type Micros, now } from '#platform/time.ts'
import { metadataIndexRows } from '#question-types/index-rows.ts'
import { Derived, dropDerived } from './rows/derived.ts'
import {
  allocateSeqs,
  contentOf,
  countInBlocks,
  insertRecords,
  keepSeqs,
  storeRecordImages,
  updateRecords,
} from './rows/record-rows.ts'
import type { StoredRecord } from './rows/stored-record.ts'
import type { SuggestionRow } from './rows/suggestion-rows.ts'
import { storeSuggestions } from './rows/suggestion-rows.ts'
import { storeVectors } from './rows/vector-rows.ts'
import type { Schema } from './schema.ts'
import type { ScopeDataset } from './scope.ts'
import type { Target } from './targets.ts'
import { storedTokens, tokensOf, usesPreparedTokens } from './text.ts'

export type Batch = { readonly dataset: ScopeDataset; readonly schema: Schema; readonly actor: string }

/** A record after the command. */
export type Written = {
  readonly isNew: boolean
  readonly record: StoredRecord
  /** The suggestions, in the order in which the client sent them. */
  readonly suggestions: readonly SuggestionRow[]
}

/**
 * Tokens of a bulk request. `items` is the number of items. For each token, `found` contains the increase of the token's count.
 * It is valid only if every item is a new record and `usesPreparedTokens` is true.
 */
type LateTokens = { readonly items: number; readonly found: readonly TokenCount[] | null }
export type WriteOptions = {
  /** Whether to update `updated_at` even if the content is unchanged. */
  readonly touch?: boolean
  /** Waits for tokens that arrive after the records. */
  readonly tokens?: () => Promise<LateTokens | null>
}

/**
 * Returns the time at which an existing record changes. Null if it doesn't change, or if it changed here later than on the
 * server from which it is copied.
 */
const changedAt = ({ stored, original }: Target, moves: boolean): Micros | null => {
  if (stored === null) return null
  if (original === null) return moves ? now() : null
  return original.updated_at > stored.updated_at ? original.updated_at : null
}

type WorkingRecord = ReturnType<typeof contentOf> & {
  readonly target: Target
  /** The answers that arrived with the record, in order. */
  readonly answers: readonly SentResponse[]
  /** For new records: the status and the number of submitted answers after `answers` have been stored. */
  readonly settled: Pick<StoredRecord, 'status' | 'submitted'>
  seq: number
  at: Micros | null
}

/** A record without answers. */
const unanswered = { status: 'pending', submitted: 0 } as const

/**
 * Returns the status of a new record that already has these answers. The record is inserted with this status, so it doesn't have
 * to be updated afterward.
 */
const settledBy = (answers: readonly SentResponse[], minSubmitted: number): WorkingRecord['settled'] => {
  if (answers.length === 0) return unanswered
  const statuses = new Map(answers.map(({ user_id, status }) => [user_id, status]))
  const submitted = [...statuses.values()].filter((status) => status === 'submitted').length
  return { submitted, status: recordStatus(submitted, minSubmitted, 0) }
}

/** Writes the metadata index rows of new records and of records whose metadata changes. */
const indexMetadata = async (
  db: Db,
  { dataset, schema }: Batch,
  derived: Derived,
  working: readonly WorkingRecord[],
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

const textChanges = ({ schema }: Batch, working: readonly WorkingRecord[]): readonly TextChange[] =>
  working.flatMap(({ seq, target: { stored, fields }, fieldsChanged }) =>
    fields === null || !fieldsChanged
      ? []
      : [{ seq, before: stored && storedTokens(stored.fields_json, schema), after: tokensOf(fields, schema) }],
  )

/** Indexes the text of records. Runs near the end of a bulk request because the tokens arrive after the records. */
const writeText = async (
  db: Db,
  batch: Batch,
  working: readonly WorkingRecord[],
  tokens: NonNullable<WriteOptions['tokens']>,
): Promise<void> => {
  const texts = async (): Promise<ChangedTexts> => {
    const lateTokens = await tokens()
    const areUnchanged = working.every(
      ({ target: { stored, fields } }) => stored === null && (fields === null || usesPreparedTokens(fields, batch.schema)),
    )
    const found = areUnchanged && lateTokens?.items === working.length ? lateTokens.found : null
    return { changes: textChanges(batch, working), counts: found ?? undefined }
  }
  const areNew = working.every(({ target }) => target.stored === null)
  await indexTexts(db, batch.dataset.no, areNew ? (working[0]?.seq ?? null) : null, texts)
}

/**
 * Writes the records themselves and their history. Marks the final answers of records with changed fields as stale.
 * @returns the records, by `seq`
 */
const writeRecords = async (
  db: Db,
  { dataset, actor }: Batch,
  working: readonly WorkingRecord[],
): Promise<Map<number, StoredRecord>> => {
  const newRecords = working.filter(({ target }) => target.stored === null)
  const updatedRecords = new Map<number, StoredRecord>()
  const withNewFields = working.filter(({ target, fieldsChanged }) => target.stored !== null && fieldsChanged)
  await outdateGold(
    db,
    dataset.no,
    withNewFields.map(({ seq }) => seq),
  )
  for (const record of await insertRecords(db, dataset.no, newRecords)) updatedRecords.set(record.seq, record)
  const changed: StoredRecord[] = []
  const before: StoredRecord[] = []
  for (const { seq, at, target, fields_json, metadata_json, fieldsChanged, metadataChanged } of working) {
    if (target.stored === null) continue
    const record = { ...target.stored, fields_json, metadata_json, ...(at !== null && { updated_at: at }) }
    updatedRecords.set(seq, record)
    if (at === null) continue
    changed.push(record)
    if (fieldsChanged || metadataChanged) before.push(target.stored)
  }
  await updateRecords(db, dataset.no, changed)
  const copied = working.flatMap(({ seq, target: { original } }): [number, Micros][] =>
    original === null ? [] : [[seq, original.updated_at]],
  )
  await storeRecordImages(db, dataset.no, before, { action: 'update', actor, changedAt: new Map(copied) })
  return updatedRecords
}

/**
 * Writes the answers that arrived with the records, and all counters. Every command writes counters once, after everything
 * else.
 */
const writeResponses = async (
  db: Db,
  { dataset, schema, actor }: Batch,
  working: readonly WorkingRecord[],
  updatedRecords: ReadonlyMap<number, StoredRecord>,
): Promise<ReadonlyMap<number, Settled>> => {
  const isCopied = working.some(({ target }) => target.original !== null)
  const tally = new Tally()
  tally.addRecord('pending', working.filter(({ target }) => target.stored === null).length, 0)
  const changes = working.flatMap(({ seq, target, answers }) => {
    const written = updatedRecords.get(seq)
    if (written === undefined) return []
    const record = target.stored === null ? { ...written, ...unanswered } : written
    return answers.map((sent) => ({ record, author: sent.user_id, after: sent }))
  })
  const answeredAtOnce = working.filter(({ target, answers }) => target.stored === null && answers.length > 0)
  const existing = working.filter(({ target }) => target.stored !== null && target.responses.length > 0)
  const { records } = await applyAnswers(db, {
    dataset,
    questions: schema.questions,
    actor,
    changes,
    stored: await loadAnswers(
      db,
      dataset.no,
      existing.map(({ seq }) => seq),
    ),
    keepsEqual: true,
    activity: null,
    autoGold: isCopied ? null : autoGoldOf(dataset),
    keepsTimes: isCopied,
    inserted: new Map(answeredAtOnce.map(({ seq, settled }) => [seq, settled])),
    tally,
  })
  await writeTally(db, dataset.no, actor, tally)
  return records
}

/** Whether an existing record's content changes. Answers are not part of the content. */
const changesContent = ({ target, at }: WorkingRecord): boolean =>
  target.stored !== null && (at !== null || target.suggestions.size > 0 || target.replaceSuggestions || target.vectors.size > 0)

/**
 * Creates and changes records and everything that belongs to them, in the caller's transaction. Targets must be validated and
 * stored records must be locked. Must be called last: it reserves record numbers, which makes other writers of the dataset
 * wait, and it writes counters at the end.
 * @returns the targets after the change, in input order
 */
export const writeTargets = async (
  db: Db,
  batch: Batch,
  targets: readonly Target[],
  { touch = false, tokens = async () => null }: WriteOptions = {},
): Promise<readonly Written[]> => {
  const { dataset, schema } = batch
  // Clients also receive the final answers, which are published as answers of the user `publisher`. If a client sends these
  // answers back, they aren't stored.
  const publisher = targets.some(({ responses }) => responses.length > 0) ? await publisherOf(db, dataset) : null
  const working = targets.map((target): WorkingRecord => {
    const content = contentOf(target)
    const answers = target.responses.flat().filter(({ user_id }) => user_id !== publisher)
    const settled = settledBy(answers, dataset.min_submitted)
    const at = changedAt(target, touch || content.fieldsChanged || content.metadataChanged)
    return { ...content, target, answers, settled, seq: target.stored?.seq ?? -1, at }
  })
  const newRecords = working.filter(({ target }) => target.stored === null)
  if (newRecords.length > 0) {
    const originals = newRecords.flatMap(({ target }) => target.original?.seq ?? [])
    const kept = originals.length === newRecords.length && (await keepSeqs(db, dataset.no, originals))
    const first = kept ? 0 : await allocateSeqs(db, dataset.no, newRecords.length)
    for (const [i, one] of newRecords.entries()) one.seq = (kept ? originals[i] : undefined) ?? first + i
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
    await db.dialect.flush()
    return storeSuggestions(db, dataset.no, schema, { changes, derived })
  }
  const newSeqs = newRecords.map(({ seq }) => seq)
  const [updatedRecords, suggestions] = await pipelineInOrder(db.dialect.flush, [
    () => writeRecords(db, batch, working),
    metadataAndSuggestions,
    () => storeVectors(db, dataset.no, changes),
    () => writeText(db, batch, working, tokens),
    () => countInBlocks(db, dataset.no, newSeqs, 1),
  ])
  const settled = await writeResponses(db, batch, working, updatedRecords)
  return working.map(({ seq, target }) => {
    const record = updatedRecords.get(seq)
    if (record === undefined) throw new Error('a record was not written')
    const outcome = settled.get(seq)
    return {
      isNew: target.stored === null,
      record: outcome === undefined ? record : { ...record, ...outcome, updated_at: outcome.updated_at ?? record.updated_at },
      suggestions: suggestions.get(seq) ?? [],
    }
  })
}
