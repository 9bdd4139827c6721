import type { Db } from '#platform/db/db.ts'
import { earlierVersions } from '#platform/db/statements/earlier-versions.ts'
import type { StoredResponse } from '../rows.ts'

type AnswersBySeq = ReadonlyMap<number, readonly StoredResponse[]>
type Short = { readonly id: string; readonly stored: number | null; readonly least: number }

/** The highest active time among the earlier versions of each user's answer, by `seq` and user. */
const earlierTimes = async (db: Db, datasetNo: number, seqs: readonly number[]): Promise<ReadonlyMap<string, number>> => {
  const times = new Map<string, number>()
  for (const { seq, version } of await earlierVersions<StoredResponse>(db, datasetNo, seqs, 'response')) {
    const { user_id, active_ms } = version
    const key = `${seq} ${user_id}`
    if (active_ms != null) times.set(key, Math.max(active_ms, times.get(key) ?? 0))
  }
  return times
}

/**
 * Returns the answers that have less active time than one of their earlier versions. Each version adds active time, so there
 * should be none.
 */
export const shortActiveTimes = async (db: Db, datasetNo: number, answers: AnswersBySeq): Promise<readonly Short[]> => {
  const earlier = await earlierTimes(db, datasetNo, [...answers.keys()])
  return [...answers].flatMap(([seq, own]) =>
    own.flatMap(({ id, user_id, active_ms: stored }) => {
      const least = earlier.get(`${seq} ${user_id}`)
      return least === undefined || (stored ?? -1) >= least ? [] : [{ id, stored, least }]
    }),
  )
}

/** Raises the active time of answers to the highest active time of their earlier versions. */
export const rebuildActiveTimes = async (db: Db, datasetNo: number, answers: AnswersBySeq): Promise<void> => {
  for (const { id, least } of await shortActiveTimes(db, datasetNo, answers))
    await db.sql
      .updateTable('responses')
      .set({ active_ms: least })
      .where('dataset_no', '=', datasetNo)
      .where('id', '=', id)
      .execute()
}
