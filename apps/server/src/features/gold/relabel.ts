import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import type { Micros } from '#platform/time.ts'
import { outdateGold, storeGoldImages } from './changes.ts'
import { goldOfRecords, type StoredGold } from './rows.ts'

type Relabeling = {
  readonly dataset_no: number
  readonly actor: string | null
  readonly schemaVersion: number
  /** When the labels were changed on the server from which the version is copied. */
  readonly changedAt?: Micros | undefined
  readonly seqs: readonly number[]
  /** The records whose final answers were stale before the labels changed. They aren't marked as stale a second time. */
  readonly stale: ReadonlySet<number>
  /** Returns the same object as `gold.values` if none of the labels in it change. */
  readonly valuesOf: (gold: StoredGold) => StoredGold['values']
  /** Whether final answers contain a label that was split, so that they must be reviewed again. */
  readonly isOutdated: (values: StoredGold['values']) => boolean
}

/**
 * Changes labels in final answers, and stores the earlier versions in the history. The final answers keep their version number,
 * so reviews that are based on it still apply. The caller has locked the records. @returns the number of records whose final
 * answers were changed or marked as stale
 */
export const relabelGold = async (
  db: Db,
  { dataset_no, actor, schemaVersion, changedAt, seqs, stale, valuesOf, isOutdated }: Relabeling,
): Promise<number> => {
  const all = [...(await goldOfRecords(db, dataset_no, seqs))].map(([seq, gold]) => ({ seq, gold, values: valuesOf(gold) }))
  const changes = all.filter(({ gold, values }) => values !== gold.values)
  const outdated = all.filter(({ seq, values }) => !stale.has(seq) && isOutdated(values)).map(({ seq }) => seq)
  await storeGoldImages(
    db,
    changes.map(({ seq, gold }) => ({ datasetNo: dataset_no, seq, gold, ...(changedAt !== undefined && { changedAt }) })),
    { action: 'update', actor, schemaVersion },
  )
  for (const { seq, values } of changes)
    await db.sql
      .updateTable('gold')
      .set({ values: json(values) })
      .where('dataset_no', '=', dataset_no)
      .where('seq', '=', seq)
      .execute()
  await outdateGold(db, dataset_no, outdated)
  return new Set([...changes.map(({ seq }) => seq), ...outdated]).size
}
