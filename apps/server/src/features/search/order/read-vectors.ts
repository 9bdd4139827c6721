import { toUnit, viewVector } from '#platform/db/vectors/vector-values.ts'
import type { SearchContext } from '../search-context.ts'

/** Reads the vectors of some records, keyed by `seq` and scaled to length 1. Records without a vector are left out. */
export const readUnits = async (
  { db, datasetNo }: Pick<SearchContext, 'db' | 'datasetNo'>,
  setting: number,
  seqs: readonly number[],
): Promise<ReadonlyMap<number, Float64Array>> => {
  const rows = await db.sql
    .selectFrom('vectors')
    .select(['seq', 'raw'])
    .where('dataset_no', '=', datasetNo)
    .where('setting_no', '=', setting)
    .where('seq', 'in', db.dialect.listed(seqs))
    .execute()
  return new Map(rows.map(({ seq, raw }) => [seq, toUnit(viewVector(raw))]))
}
