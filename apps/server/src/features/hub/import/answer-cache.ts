import { LRUCache } from 'lru-cache'

/** How long a Hub response is cached, in milliseconds. */
const TTL_MS = 600_000
/** Maximum number of cached responses. */
const MAX_ENTRIES = 32

/** Caches responses for a while, so that a repeated client request doesn't cause another Hub request. Errors aren't cached. */
export const createAnswerCache = <T>() => {
  const entries = new LRUCache<string, Promise<T>>({ max: MAX_ENTRIES, ttl: TTL_MS })
  return (key: string, load: () => Promise<T>): Promise<T> => {
    const cached = entries.get(key)
    if (cached !== undefined) return cached
    const value = load()
    entries.set(key, value)
    value.catch(() => {
      if (entries.peek(key) === value) entries.delete(key)
    })
    return value
  }
}
