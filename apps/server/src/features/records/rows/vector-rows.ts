import type { Db } from '#platform/db/db.ts'
import { insertInBatches } from '#platform/db/statements/insert-in-batches.ts'
import { now } from '#platform/time.ts'
import type { PreparedVector } from '../bulk/prepare.ts'

type VectorChange = {
  readonly seq: number
  /** True for a record that this command created, which has no vectors yet. */
  readonly isNew: boolean
  /** By setting number. Already validated. */
  readonly vectors: ReadonlyMap<number, PreparedVector>
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float64Array): Uint8Array => new Uint8Array(buffer, byteOffset, byteLength)

/** Removes vectors that are replaced. @returns their original insertion times, by `seq` and vector setting */
const deleteVectors = async (
  db: Db,
  datasetNo: number,
  changes: readonly VectorChange[],
): Promise<ReadonlyMap<string, number>> => {
  const replaced = changes.flatMap(({ seq, isNew, vectors }) =>
    isNew ? [] : [...vectors.keys()].map((setting_no) => ({ seq, setting_no })),
  )
  const inserted = new Map<string, number>()
  for (const [setting_no, own] of Map.groupBy(replaced, (row) => row.setting_no)) {
    const rows = await db.sql
      .deleteFrom('vectors')
      .where('dataset_no', '=', datasetNo)
      .where('setting_no', '=', setting_no)
      .where('seq', 'in', db.dialect.listed(own.map(({ seq }) => seq)))
      .returning(['seq', 'inserted_at'])
      .execute()
    for (const { seq, inserted_at } of rows) inserted.set(`${seq} ${setting_no}`, inserted_at)
  }
  return inserted
}

/** Writes vectors, one per setting and record. */
export const storeVectors = async (db: Db, datasetNo: number, changes: readonly VectorChange[]): Promise<void> => {
  const inserted = await deleteVectors(db, datasetNo, changes)
  const sent = changes.flatMap(({ seq, vectors }) =>
    [...vectors].map(([setting_no, { numbers }]) => ({ seq, setting_no, numbers })),
  )
  await insertInBatches(db, 'vectors', sent, ({ seq, setting_no, numbers }) => ({
    dataset_no: datasetNo,
    setting_no,
    seq,
    embedding: db.dialect.vectors.encode(numbers),
    raw: bytesOf(numbers),
    inserted_at: inserted.get(`${seq} ${setting_no}`) ?? now(),
  }))
}
