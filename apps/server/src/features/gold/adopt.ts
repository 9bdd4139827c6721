import { currentAnswerValue } from '@postil/contract/question-types/index.ts'
import { withLabels } from '@postil/contract/question-types/with-labels.ts'
import { questionRowsAt } from '#features/schema/public.ts'
import type { Db } from '#platform/db/db.ts'
import { outdateGold, storeGoldImages } from './changes.ts'
import { goldOfRecords, type StoredGold } from './rows.ts'
import { insertGold, removeRows } from './write.ts'

export type AdoptedGold = { readonly seq: number; readonly gold: StoredGold }

/**
 * Stores final answers from another server with their authors, times and versions, unless this server's final answers are newer.
 * The caller has locked the records. Final answers that are stale on either server become stale here.
 * @param actor the user who copies the final answers
 */
export const adoptGold = async (db: Db, datasetNo: number, adopted: readonly AdoptedGold[], actor: string): Promise<void> => {
  const questions = await questionRowsAt(db, datasetNo)
  const seqs = adopted.map(({ seq }) => seq)
  const stored = await goldOfRecords(db, datasetNo, seqs)
  const isNewer = ({ seq, gold }: AdoptedGold) => gold.updated_at > (stored.get(seq)?.updated_at ?? Number.NEGATIVE_INFINITY)
  const newer = adopted.filter(isNewer).map(({ seq, gold }) => {
    const before = stored.get(seq) ?? null
    const values = withLabels(gold.values, questions, currentAnswerValue)
    return { seq, before, gold: { ...gold, values, version: Math.max(gold.version, (before?.version ?? 0) + 1) } }
  })
  await storeGoldImages(
    db,
    newer.flatMap(({ seq, before, gold }) =>
      before === null ? [] : [{ datasetNo, seq, gold: before, changedAt: gold.updated_at }],
    ),
    { action: 'update', actor },
  )
  await removeRows(
    db,
    datasetNo,
    newer.map(({ seq }) => seq),
  )
  await insertGold(db, datasetNo, newer)
  await outdateGold(
    db,
    datasetNo,
    adopted.flatMap((one) =>
      !isNewer(one) && one.gold.stale && stored.get(one.seq)?.updated_at === one.gold.updated_at ? [one.seq] : [],
    ),
  )
}
