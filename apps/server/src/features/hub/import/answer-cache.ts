/** How long a Hub response is cached, in milliseconds. */
const TTL_MS = 600_000
/** Maximum number of cached responses. */
const MAX_ENTRIES = 32

type Entry<T> = { readonly value: Promise<T>; readonly until: number }

/** Caches responses for a while, so that a repeated client request doesn't cause another Hub request. Errors aren't cached. */
export const createAnswerCache = <T>() => {
  const entries = new Map<string, Entry<T>>()
  return (key: string, load: () => Promise<T>): Promise<T> => {
    const entry = entries.get(key)
    if (entry !== undefined && entry.until > performance.now()) return entry.value
    entries.delete(key)
    const value = load()
    entries.set(key, { value, until: performance.now() + TTL_MS })
    value.catch(() => {
      if (entries.get(key)?.value === value) entries.delete(key)
    })
    const [oldest] = entries.keys()
    if (entries.size > MAX_ENTRIES && oldest !== undefined) entries.delete(oldest)
    return value
  }
}
