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
 * Looks up rows that are stored under the number of a dataset, given the dataset's ID. The number is known before the lookup's
 * statement is sent, so a cluster can route the statement to the one node that has the dataset. Finding the number takes a
 * statement only if the number isn't cached.
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
