import { type VectorIndexState, withoutVectorIndex } from '#features/jobs/public.ts'
import type { Db } from '#platform/db/db.ts'
import { indexKey } from '#platform/db/keys/index-keys.ts'
import { jobKind, startStepTimer } from '#platform/jobs/kinds.ts'

const ROWS_PER_BATCH = 500

/** @returns how many records lost their row */
const dropVectors = async (db: Db, datasetNo: number, settingNo: number): Promise<number> => {
  const rows = await db.sql
    .selectFrom('vectors')
    .select('seq')
    .where('dataset_no', '=', datasetNo)
    .where('setting_no', '=', settingNo)
    .orderBy('seq')
    .limit(ROWS_PER_BATCH)
    .execute()
  const last = rows.at(-1)
  if (last === undefined) return 0
  await db.sql
    .deleteFrom('vectors')
    .where('dataset_no', '=', datasetNo)
    .where('setting_no', '=', settingNo)
    .where('seq', '<=', last.seq)
    .execute()
  return rows.length
}

/** @returns how many index rows were dropped */
const dropIndexed = async (db: Db, datasetNo: number, key: number): Promise<number> => {
  for (const table of ['record_terms', 'record_numbers'] as const) {
    const rows = await db.sql
      .selectFrom(table)
      .select('seq')
      .where('dataset_no', '=', datasetNo)
      .where('key', '=', key)
      .limit(ROWS_PER_BATCH)
      .execute()
    if (rows.length === 0) continue
    await db.sql
      .deleteFrom(table)
      .where('dataset_no', '=', datasetNo)
      .where('key', '=', key)
      .where('seq', 'in', [...new Set(rows.map(({ seq }) => seq))])
      .execute()
    return rows.length
  }
  return 0
}

/**
 * Removes the rows that a deleted metadata property or vector setting left behind. Nothing reads these rows, because the number
 * of a deleted part is never used again in its dataset, and every read starts from the existing settings.
 */
export const dropRows = jobKind(
  'schema.drop-rows',
  async (db, { dataset_no, args, done }, { isIndexGone }: VectorIndexState) => {
    if (dataset_no === null) throw new Error('dropping schema rows requires a dataset')
    const { property_no, setting_no } = args
    const drop = () =>
      typeof setting_no === 'number'
        ? dropVectors(db, dataset_no, setting_no)
        : dropIndexed(db, dataset_no, indexKey(Number(property_no)))
    const hasTime = startStepTimer()
    let dropped = 0
    while (hasTime()) {
      const count = await drop()
      if (count === 0) return { finished: isIndexGone, done: done + dropped }
      dropped += count
    }
    return { finished: false, done: done + dropped }
  },
  withoutVectorIndex,
)
