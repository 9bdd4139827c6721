import type { Selectable } from 'kysely'
import type { Db } from '../db.ts'
import type { Tables } from '../tables.ts'

/**
 * The earlier versions of records' answers or final answers, in no particular order. The history stores a version when it is
 * replaced or deleted.
 * @param subject whether to read answers or final answers. The caller sets `T` to the matching type
 */
export const earlierVersions = async <T>(
  db: Db,
  datasetNo: number,
  seqs: readonly number[],
  subject: Selectable<Tables['history']>['subject'],
): Promise<readonly { readonly seq: number; readonly version: T }[]> => {
  if (seqs.length === 0) return []
  const rows = await db.sql
    .selectFrom('history')
    .select(['seq', 'image'])
    .where('dataset_no', '=', datasetNo)
    .where('seq', 'in', db.dialect.listed(seqs))
    .where('subject', '=', subject)
    .execute()
  return rows.map(({ seq, image }) => ({ seq, version: image as unknown as T }))
}
