import { json } from '#platform/db/codecs.ts'
import type { Db } from '#platform/db/db.ts'
import { storeGoldImages } from './changes.ts'
import { goldOfRecords, type StoredGold } from './rows.ts'

type Relabeling = {
  readonly dataset_no: number
  readonly actor: string | null
  readonly schemaVersion: number
  readonly seqs: readonly number[]
  /** Returns the final answers themselves if none of their labels change. */
  readonly valuesOf: (gold: StoredGold) => StoredGold['values']
}

/**
 * Changes labels in final answers, with the history. Their version doesn't change, so reviews that are based on it still apply. The
 * caller has locked the records. @returns how many records' final answers were changed
 */
export const relabelGold = async (db: Db, { dataset_no, actor, schemaVersion, seqs, valuesOf }: Relabeling): Promise<number> => {
  const changes = [...(await goldOfRecords(db, dataset_no, seqs))].flatMap(([seq, gold]) => {
    const values = valuesOf(gold)
    return values === gold.values ? [] : [{ seq, gold, values }]
  })
  await storeGoldImages(
    db,
    changes.map(({ seq, gold }) => ({ datasetNo: dataset_no, seq, gold })),
    { action: 'update', actor, schemaVersion },
  )
  for (const { seq, values } of changes)
    await db.sql
      .updateTable('gold')
      .set({ values: json(values) })
      .where('dataset_no', '=', dataset_no)
      .where('seq', '=', seq)
      .execute()
  return changes.length
}
