import { sql } from 'kysely'
import type { SentResponse } from '#features/responses/service.ts'
import type { Db } from '#platform/db/db.ts'
import { valueKey } from '#platform/db/keys/index-keys.ts'
import { together } from '#platform/db/statements/together.ts'
import type { Kept } from '#platform/kept.ts'
import type { PreparedFields, PreparedMetadata, PreparedRecord, PreparedSuggestion, PreparedVector } from './bulk/prepare.ts'
import { recordColumns, type StoredRecord } from './rows/stored-record.ts'
import type { Schema } from './schema.ts'

/** A record that a command creates or changes, with all that its items want of it. */
export type Target = {
  /** As it stands; null for one that is being created. */
  readonly stored: StoredRecord | null
  readonly external_id: string | null
  /** Null: stay as they are. */
  fields: PreparedFields | null
  /** Null: stays as it is. */
  metadata: PreparedMetadata | null
  /** By the number of the question. */
  readonly suggestions: Map<number, PreparedSuggestion>
  /** True when suggestions to other questions go. */
  replaceSuggestions: boolean
  /** By the number of the setting. */
  readonly vectors: Map<number, PreparedVector>
  readonly responses: (readonly SentResponse[])[]
  /** Of one that was brought over from another server: it keeps its id and times. */
  readonly kept: Kept | null
}

export const newTarget = (stored: StoredRecord | null, external_id: string | null, kept: Kept | null = null): Target => ({
  stored,
  external_id,
  fields: null,
  metadata: null,
  suggestions: new Map(),
  replaceSuggestions: false,
  vectors: new Map(),
  responses: [],
  kept,
})

/** Puts what an item says on top of what items before it said. The item has passed `recordFault`. */
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

/** The fields that the target will have, as JSON; null for a record that no item has spoken of yet. */
export const fieldsOf = (target: Target): string | null => target.fields?.json ?? target.stored?.fields_json ?? null
/** The same of metadata; null for none. */
export const metadataOf = ({ metadata, stored }: Target): string | null =>
  metadata === null ? (stored?.metadata_json ?? null) : metadata.json

const recordsOf = (db: Db, datasetNo: number, seqs: readonly number[]) =>
  db.sql
    .selectFrom('records')
    .select(recordColumns)
    .where('dataset_no', '=', datasetNo)
    .where('seq', 'in', db.dialect.listed(seqs))
    .orderBy('seq')

/** Records with their content, locked until the command ends, in the order of `seq`. */
export const holdRecords = (db: Db, datasetNo: number, seqs: readonly number[]): Promise<StoredRecord[]> => {
  if (seqs.length === 0) return Promise.resolve([])
  // NOTE: a column under another name stays the text that it is stored as
  return db.dialect.forUpdate(recordsOf(db, datasetNo, seqs)).execute() as unknown as Promise<StoredRecord[]>
}

const filled = (values: readonly (string | null)[]): readonly string[] => [...new Set(values.filter((value) => value !== null))]

/** External ids of `items` that records of the dataset have. */
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

/** Of the records that have one of the values. */
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

/** Places of the records that items of a bulk are about, in their order. */
const seqsOf = async (db: Db, datasetNo: number, items: readonly PreparedRecord[]): Promise<readonly number[]> => {
  const ids = filled(items.map(({ id }) => id))
  const keys = filled(items.map(({ external_id }) => external_id)).map(valueKey)
  const found = await together([seqsBy(db, datasetNo, 'id', ids), seqsBy(db, datasetNo, 'external_key', keys)])
  return [...new Set(found.flat())].sort((a, b) => a - b)
}

const among = (records: readonly StoredRecord[]): Lookup => {
  const withId = new Map(records.map((record) => [record.id, record]))
  const withExternalId = new Map(records.map((record) => [record.external_id, record]))
  return ({ id, external_id }) =>
    (id === null ? null : withId.get(id)) ?? (external_id === null ? null : withExternalId.get(external_id)) ?? null
}

/** Finds the records that items of a bulk are about, and locks them: by id, else by external id. */
export const lookUp = async (db: Db, datasetNo: number, items: readonly PreparedRecord[]): Promise<Lookup> =>
  among(await holdRecords(db, datasetNo, await seqsOf(db, datasetNo, items)))

/** The same inside a query: they are not locked. */
export const lookAt = async (db: Db, datasetNo: number, items: readonly PreparedRecord[]): Promise<Lookup> => {
  const seqs = await seqsOf(db, datasetNo, items)
  if (seqs.length === 0) return () => null
  // NOTE: a column under another name stays the text that it is stored as
  return among((await recordsOf(db, datasetNo, seqs).execute()) as unknown as StoredRecord[])
}
