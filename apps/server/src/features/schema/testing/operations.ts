import { indexKey } from '#platform/db/keys/index-keys.ts'
import { command } from '#platform/db/operations.ts'
import { now } from '#platform/time.ts'

/** Registers the operations of the application and of the answer tests. The operations below are used only by schema tests. */
import '#features/responses/testing/operations.ts'

/**
 * Stores a vector for the setting `setting_no`, and terms and a number for the property `property_no`, in each of the records 1
 * to `count`.
 */
export const insertIndexed = command(
  'test.insert-indexed',
  async (
    db,
    {
      dataset_id,
      count,
      setting_no,
      property_no,
    }: { dataset_id: string; count: number; setting_no: number; property_no: number },
  ) => {
    const { no: dataset_no } = await db.sql
      .selectFrom('datasets')
      .select('no')
      .where('id', '=', dataset_id)
      .executeTakeFirstOrThrow()
    const seqs = Array.from({ length: count }, (_, i) => i + 1)
    const embedding = db.dialect.vectors.encode([1, 2])
    const raw = new Uint8Array(new Float64Array([1, 2]).buffer)
    const place = { dataset_no, key: indexKey(property_no) }
    await db.dialect.insertMany(
      db.sql,
      'vectors',
      seqs.map((seq) => ({ dataset_no, setting_no, seq, embedding, raw, inserted_at: now() })),
    )
    await db.dialect.insertMany(
      db.sql,
      'record_terms',
      seqs.flatMap((seq) => ['a', `t${seq}`].map((value_key) => ({ ...place, value_key, seq }))),
    )
    await db.dialect.insertMany(
      db.sql,
      'record_numbers',
      seqs.map((seq) => ({ ...place, number: seq / 2, seq })),
    )
  },
)

/** Returns a schema part's number within its dataset. */
export const numberOf = command(
  'test.number-of',
  async (db, { table, id }: { table: 'metadata_properties' | 'vector_settings'; id: string }): Promise<number> =>
    (await db.sql.selectFrom(table).select('no').where('id', '=', id).executeTakeFirstOrThrow()).no,
)
