import { jsonEquals } from '@postil/contract/wire/json.ts'
import { sql } from 'kysely'
import { type Json, json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import { valueKey } from '#platform/db/keys/index-keys.ts'
import { insertInBatches } from '#platform/db/statements/insert-in-batches.ts'
import { newDatasetId } from '#platform/ids.ts'
import { type Micros, now, printTime } from '#platform/time.ts'
import type { Target } from '../targets.ts'
import type { StoredRecord } from './stored-record.ts'

/** Whether two JSON texts are equal, regardless of key order. */
export const sameJson = (a: string | null, b: string | null): boolean =>
  a === b || (a !== null && b !== null && jsonEquals(JSON.parse(a), JSON.parse(b)))

/** Returns the content that the record will have, and which parts of it differ from the stored content. */
export const contentOf = ({ stored, fields, metadata }: Target) => {
  const fields_json = fields?.json ?? stored?.fields_json ?? '{}'
  const metadata_json = metadata === null ? (stored?.metadata_json ?? null) : metadata.json
  return {
    fields_json,
    metadata_json,
    fieldsChanged: stored === null || (fields !== null && !sameJson(stored.fields_json, fields_json)),
    metadataChanged: stored === null || !sameJson(stored.metadata_json, metadata_json),
  }
}

/** Reserves numbers for new records. The numbers follow the order of commits. @returns the first number */
export const allocateSeqs = async (db: Db, datasetNo: number, count: number): Promise<number> => {
  const { next_seq } = await db.sql
    .updateTable('dataset_state')
    .set((eb) => ({ next_seq: eb('next_seq', '+', count) }))
    .where('dataset_no', '=', datasetNo)
    .returning('next_seq')
    .executeTakeFirstOrThrow()
  return next_seq - count
}

/** Ensures that new records get numbers higher than `last`. */
export const skipSeqs = async (db: Db, datasetNo: number, last: number): Promise<void> => {
  await db.sql
    .updateTable('dataset_state')
    .set({ next_seq: last + 1 })
    .where('dataset_no', '=', datasetNo)
    .where('next_seq', '<=', last)
    .execute()
}

/**
 * Reserves the given numbers for new records. Reserves none if the numbers don't ascend, or if the first number or a higher one
 * is already reserved. @returns whether the numbers were reserved
 */
export const keepSeqs = async (db: Db, datasetNo: number, seqs: readonly number[]): Promise<boolean> => {
  const [first, last] = [seqs[0], seqs.at(-1)]
  const isRising = seqs.every((seq, i) => i === 0 || seq > (seqs[i - 1] ?? seq))
  if (first === undefined || last === undefined || !isRising) return false
  const reserved = await db.sql
    .updateTable('dataset_state')
    .set({ next_seq: last + 1 })
    .where('dataset_no', '=', datasetNo)
    .where('next_seq', '<=', first)
    .returning('next_seq')
    .executeTakeFirst()
  return reserved !== undefined
}

/** A record to insert, with the result of `contentOf`. */
type NewRecord = {
  readonly seq: number
  readonly target: Target
  readonly fields_json: string
  readonly metadata_json: string | null
  /** The status and the number of submitted answers, including those that arrive with the record. */
  readonly settled: Pick<StoredRecord, 'status' | 'submitted'>
}

/** Inserts records. Their answers are written later in the same transaction. @returns the stored records */
export const insertRecords = async (db: Db, datasetNo: number, records: readonly NewRecord[]): Promise<StoredRecord[]> => {
  const stored = records.map(({ seq, target, fields_json, metadata_json, settled }): StoredRecord => {
    const at = now()
    const { external_id, original } = target
    // Completing a record changes it, so `updated_at` is the current time.
    const updated_at = settled.status === 'completed' ? now() : at
    const own = original ?? { id: newDatasetId(datasetNo), inserted_at: at, updated_at }
    return { ...own, ...settled, seq, external_id, extra_answers: 0, fields_json, metadata_json }
  })
  await insertInBatches(db, 'records', stored, ({ fields_json, metadata_json, ...row }) => ({
    dataset_no: datasetNo,
    ...row,
    external_key: row.external_id === null ? null : valueKey(row.external_id),
    shuffle: Math.floor(Math.random() * 2 ** 32),
    fields: fields_json as Json,
    metadata: metadata_json as Json | null,
  }))
  return stored
}

export type ChangedRecord = {
  readonly seq: number
  readonly fields_json: string
  readonly metadata_json: string | null
  readonly updated_at: Micros
}

const ROWS_PER_BATCH = 100

export const updateRecords = async (db: Db, datasetNo: number, changed: readonly ChangedRecord[]): Promise<void> => {
  for (let from = 0; from < changed.length; from += ROWS_PER_BATCH) {
    const rows = changed
      .slice(from, from + ROWS_PER_BATCH)
      .map(
        ({ seq, fields_json, metadata_json, updated_at }) =>
          sql`(cast(${seq} as bigint), cast(${fields_json} as text), cast(${metadata_json} as text), cast(${updated_at} as bigint))`,
      )
    // Both engines name the columns of VALUES `column1`, `column2` and so on
    await sql`update records set fields = v.column2, metadata = v.column3, updated_at = v.column4
      from (values ${sql.join(rows)}) as v where records.dataset_no = ${datasetNo} and records.seq = v.column1`.execute(db.sql)
  }
}

/**
 * Returns a record's image for the history: its state before a change. The stored JSON of fields and metadata is inserted as
 * text, without parsing.
 */
const imageOf = (record: StoredRecord): Json => {
  const { fields_json, metadata_json, inserted_at, updated_at, seq: _, ...rest } = record
  const times = { inserted_at: printTime(inserted_at), updated_at: printTime(updated_at) }
  return `${json({ ...rest, ...times }).slice(0, -1)},"fields":${fields_json},"metadata":${metadata_json}}` as Json
}

/**
 * Saves the records' images to the history before a change.
 * @param actor the user who makes the change
 * @param changedAt for records that are copied from another server: when they were changed there, by `seq`
 */
export const storeRecordImages = (
  db: Db,
  datasetNo: number,
  records: readonly StoredRecord[],
  {
    action,
    actor,
    changedAt,
  }: {
    readonly action: 'update' | 'delete'
    readonly actor: string
    readonly changedAt?: ReadonlyMap<number, Micros>
  },
): Promise<void> => {
  const at = now()
  return db.dialect.insertMany(
    db.sql,
    'history',
    records.map((record) => ({
      dataset_no: datasetNo,
      seq: record.seq,
      id: newDatasetId(datasetNo),
      subject: 'record' as const,
      subject_id: record.id,
      action,
      user_id: actor,
      at: changedAt?.get(record.seq) ?? at,
      image: imageOf(record),
    })),
  )
}

export const BLOCK = 1024
export const blockOf = (seq: number): number => Math.floor(seq / BLOCK)

/**
 * Updates the record counts of blocks after records were added (`by` is 1) or deleted (`by` is −1). Blocks are updated in
 * ascending order to prevent deadlocks.
 */
export const countInBlocks = async (db: Db, datasetNo: number, seqs: readonly number[], by: 1 | -1): Promise<void> => {
  const counts = new Map<number, number>()
  for (const seq of seqs) counts.set(blockOf(seq), (counts.get(blockOf(seq)) ?? 0) + by)
  const rows = [...counts].sort(([a], [b]) => a - b).map(([block, n]) => ({ dataset_no: datasetNo, block, n }))
  if (rows.length === 0) return
  await db.sql
    .insertInto('record_blocks')
    .values(rows)
    .onConflict((c) =>
      c.columns(['dataset_no', 'block']).doUpdateSet((eb) => ({ n: eb('record_blocks.n', '+', eb.ref('excluded.n')) })),
    )
    .execute()
}
