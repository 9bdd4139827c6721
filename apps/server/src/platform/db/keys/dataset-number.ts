import type { Db } from '../db.ts'

/** Datasets of a store of which the numbers are kept. */
const MOST = 10_000
const known = new WeakMap<Db['dialect'], Map<string, number>>()

const keptOf = ({ dialect }: Db): Map<string, number> => {
  const kept = known.get(dialect) ?? new Map<string, number>()
  known.set(dialect, kept)
  return kept
}

/**
 * Looks a dataset up by its id where what hangs on it is found by its number: so a statement says which dataset it is about before it is sent, and in a
 * cluster goes to the one node that has it. A number that was met before is used at once and costs no statement.
 * @param look compares the id as well, because a number may be kept that the dataset of this id does not have any more
 */
export const byNumberOf = async <T>(db: Db, id: string, look: (no: number) => Promise<T | undefined>): Promise<T | undefined> => {
  const kept = keptOf(db)
  const early = kept.get(id)
  const found = early === undefined ? undefined : await look(early)
  if (found !== undefined) return found
  const row = await db.sql.selectFrom('datasets').select('no').where('id', '=', id).executeTakeFirst()
  if (row === undefined || row.no === early) return undefined
  if (kept.size >= MOST) kept.clear()
  kept.set(id, row.no)
  return look(row.no)
}
