import { LRUCache } from 'lru-cache'
import type { Db } from '../db.ts'

/** Maximum number of cached dataset numbers per store. */
const MAX_CACHED = 10_000
const caches = new WeakMap<Db['dialect'], LRUCache<string, number>>()

const cacheOf = ({ dialect }: Db): LRUCache<string, number> => {
  const numbers = caches.get(dialect) ?? new LRUCache<string, number>({ max: MAX_CACHED })
  caches.set(dialect, numbers)
  return numbers
}

/**
 * Looks up rows that are stored under a dataset's number, given the dataset's ID. The statement contains the number, so a cluster
 * can send it to the node that has the dataset. If the number isn't cached, another statement reads it first.
 * @param lookUp must also compare the ID, because a cached number may be outdated
 */
export const withDatasetNumber = async <T>(
  db: Db,
  id: string,
  lookUp: (no: number) => Promise<T | undefined>,
): Promise<T | undefined> => {
  const numbers = cacheOf(db)
  const firstTry = numbers.get(id)
  const found = firstTry === undefined ? undefined : await lookUp(firstTry)
  if (found !== undefined) return found
  const row = await db.sql.selectFrom('datasets').select('no').where('id', '=', id).executeTakeFirst()
  if (row === undefined || row.no === firstTry) return undefined
  numbers.set(id, row.no)
  return lookUp(row.no)
}
