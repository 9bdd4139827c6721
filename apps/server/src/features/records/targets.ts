import { sql } from 'kysely'
import type { SentResponse } from '#features/responses/public.ts'
import type { Db } from '#platform/db/db.ts'
import { valueKey } from '#platform/db/keys/index-keys.ts'
import { pipeline } from '#platform/db/statements/pipeline.ts'
import type { OriginalRow } from '#platform/original-row.ts'
import type { PreparedFields, PreparedMetadata, PreparedRecord, PreparedSuggestion, PreparedVector } from './bulk/prepare.ts'
import { recordColumns, type StoredRecord } from './rows/stored-record.ts'
import type { Schema } from './schema.ts'

type OriginalPlace = OriginalRow & { readonly seq?: number | undefined }

/** A record that a command creates or changes, with the merged changes from all its items. */
export type Target = {
  /** The stored record; null if the command creates it. */
  readonly stored: StoredRecord | null
  readonly external_id: string | null
  /** Null if unchanged. */
  fields: PreparedFields | null
  /** Null if unchanged. */
  metadata: PreparedMetadata | null
  /** By question number. */
  readonly suggestions: Map<number, PreparedSuggestion>
  /** Whether suggestions for questions that aren't in `suggestions` are removed. */
  replaceSuggestions: boolean
  /** By setting number. */
  readonly vectors: Map<number, PreparedVector>
  readonly responses: (readonly SentResponse[])[]
  /**
   * Set if the record is copied from another server. The record keeps its ID and times. It also keeps its `seq`, unless another
   * record on this server already has that `seq`.
   */
  readonly original: OriginalPlace | null
}

export const newTarget = (
  stored: StoredRecord | null,
  external_id: string | null,
  original: OriginalPlace | null = null,
): Target => ({
  stored,
  external_id,
  fields: null,
  metadata: null,
  suggestions: new Map(),
  replaceSuggestions: false,
  vectors: new Map(),
  responses: [],
  original,
})

/** Merges an item into the target. Its values replace those of earlier items. The item must have passed `recordFault`. */
export const mergeItem = (target: Target, item: PreparedRecord, schema: Schema): void => {
  target.fields = item.fields ?? target.fields
  target.metadata = item.metadata ?? target.metadata
  for (const suggestion of item.suggestions ?? []) {
    const question = schema.questionsById.get(suggestion.question_id)
    if (question !== undefined) target.suggestions.set(question.no, suggestion)
  }
  for (const vector of item.vectors) {
    const setting = schema.vectors.find(({ name }) => name === vector.name)
    if (setting !== undefined) target.vectors.set(setting.no, vector)
  }
  if (item.responses.length > 0) target.responses.push(item.responses)
}

/** Returns the target's resulting fields, as JSON; null for a new record before its first item is merged. */
export const fieldsOf = (target: Target): string | null => target.fields?.json ?? target.stored?.fields_json ?? null

/** Returns the target's resulting metadata, as JSON; null for none. */
export const metadataOf = ({ metadata, stored }: Target): string | null =>
  metadata === null ? (stored?.metadata_json ?? null) : metadata.json

const recordsOf = (db: Db, datasetNo: number, seqs: readonly number[]) =>
  db.sql
    .selectFrom('records')
    .select(recordColumns)
    .where('dataset_no', '=', datasetNo)
    .where('seq', 'in', db.dialect.listed(seqs))
    .orderBy('seq')

/** Locks records until the command ends and returns them with their content, in `seq` order. */
export const lockRecords = (db: Db, datasetNo: number, seqs: readonly number[]): Promise<StoredRecord[]> => {
  if (seqs.length === 0) return Promise.resolve([])
  // The cast is safe: `recordColumns` selects the JSON columns under aliases, so they are returned as the stored text, unparsed.
  return db.dialect.forUpdate(recordsOf(db, datasetNo, seqs)).execute() as unknown as Promise<StoredRecord[]>
}

const filled = (values: readonly (string | null)[]): readonly string[] => [...new Set(values.filter((value) => value !== null))]

/** Returns the external IDs in `items` that records of the dataset already have. */
export const takenExternalIds = async (
  db: Db,
  datasetNo: number,
  items: readonly { readonly external_id: string | null }[],
): Promise<readonly string[]> => {
  const keys = filled(items.map(({ external_id }) => external_id)).map(valueKey)
  if (keys.length === 0) return []
  const { rows } = await sql<{ external_id: string | null }>`
    select (select external_id from records where dataset_no = ${datasetNo} and external_key = each.value) as external_id
    from ${db.dialect.each(keys, 'text')}`.execute(db.sql)
  return filled(rows.map(({ external_id }) => external_id))
}

const seqsBy = async (
  db: Db,
  datasetNo: number,
  column: 'id' | 'external_key',
  values: readonly string[],
): Promise<readonly number[]> => {
  if (values.length === 0) return []
  const { rows } = await sql<{ seq: number | null }>`
    select (select seq from records where dataset_no = ${datasetNo} and ${sql.ref(column)} = each.value) as seq
    from ${db.dialect.each(values, column === 'id' ? 'uuid' : 'text')}`.execute(db.sql)
  return rows.map(({ seq }) => seq).filter((seq) => seq !== null)
}

export type Lookup = (item: PreparedRecord) => StoredRecord | null

/** Returns the `seq`s of the records that the items of a bulk request refer to, in ascending order. */
const seqsOf = async (db: Db, datasetNo: number, items: readonly PreparedRecord[]): Promise<readonly number[]> => {
  const ids = filled(items.map(({ id }) => id))
  const keys = filled(items.map(({ external_id }) => external_id)).map(valueKey)
  const found = await pipeline([seqsBy(db, datasetNo, 'id', ids), seqsBy(db, datasetNo, 'external_key', keys)])
  return [...new Set(found.flat())].sort((a, b) => a - b)
}

const among = (records: readonly StoredRecord[]): Lookup => {
  const withId = new Map(records.map((record) => [record.id, record]))
  const withExternalId = new Map(records.map((record) => [record.external_id, record]))
  return ({ id, external_id }) =>
    (id === null ? null : withId.get(id)) ?? (external_id === null ? null : withExternalId.get(external_id)) ?? null
}

/** Finds and locks the records that the items of a bulk request refer to, by ID or, if an item has no ID, by external ID. */
export const lockExisting = async (db: Db, datasetNo: number, items: readonly PreparedRecord[]): Promise<Lookup> =>
  among(await lockRecords(db, datasetNo, await seqsOf(db, datasetNo, items)))

/** Like `lockExisting`, but inside a query and without locks. */
export const findExisting = async (db: Db, datasetNo: number, items: readonly PreparedRecord[]): Promise<Lookup> => {
  const seqs = await seqsOf(db, datasetNo, items)
  if (seqs.length === 0) return () => null
  // Selecting a column under an alias returns the stored text unparsed.
  return among((await recordsOf(db, datasetNo, seqs).execute()) as unknown as StoredRecord[])
}
