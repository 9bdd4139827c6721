/** What the hub said stays true for that long, in milliseconds. */
const KEPT_MS = 600_000
/** Answers that are kept. */
const KEPT = 32

type Entry<T> = { readonly value: Promise<T>; readonly until: number }

/** Keeps what was asked for a while, so that a page which asks again does not make the hub work again. Refusals are not kept. */
export const keptAnswers = <T>() => {
  const entries = new Map<string, Entry<T>>()
  return (key: string, ask: () => Promise<T>): Promise<T> => {
    const known = entries.get(key)
    if (known !== undefined && known.until > performance.now()) return known.value
    entries.delete(key)
    const value = ask()
    entries.set(key, { value, until: performance.now() + KEPT_MS })
    value.catch(() => {
      if (entries.get(key)?.value === value) entries.delete(key)
    })
    const [oldest] = entries.keys()
    if (entries.size > KEPT && oldest !== undefined) entries.delete(oldest)
    return value
  }
}
