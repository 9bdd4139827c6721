/**
 * Paging over a list that shrinks as records leave it. These pure functions compute which of the loaded, visible records are on a
 * page.
 */

/** The positions of the first `size` visible records, starting at `index`. */
export const shownIndexes = (isShown: readonly boolean[], index: number, size: number): readonly number[] => {
  const indexes: number[] = []
  for (let at = index; at < isShown.length && indexes.length < size; at += 1) if (isShown[at]) indexes.push(at)
  return indexes
}

/** The start of the page before the page that starts at `index`. */
export const previousPageStart = (isShown: readonly boolean[], index: number, size: number): number =>
  isShown.flatMap((shown, at) => (shown && at < index ? [at] : [])).at(-size) ?? Math.max(0, isShown.indexOf(true))

/** The start of the page that follows the page starting at `index`. Null if no loaded record is on the following page. */
export const nextPageStart = (isShown: readonly boolean[], index: number, size: number): number | null =>
  shownIndexes(isShown, index, size + 1)[size] ?? null
