/** Pages over a list from which records leave: what is on one, by which of the known records are shown at all. Pure. */

/** The places of the first `size` shown records from `index` on. */
export const placesFrom = (isShown: readonly boolean[], index: number, size: number): readonly number[] => {
  const places: number[] = []
  for (let at = index; at < isShown.length && places.length < size; at += 1) if (isShown[at]) places.push(at)
  return places
}

/** Where the page before the one at `index` begins. */
export const pageBefore = (isShown: readonly boolean[], index: number, size: number): number =>
  isShown.flatMap((shown, at) => (shown && at < index ? [at] : [])).at(-size) ?? Math.max(0, isShown.indexOf(true))

/** Where the page after the one at `index` begins; null when nothing known comes after it. */
export const pageAfter = (isShown: readonly boolean[], index: number, size: number): number | null =>
  placesFrom(isShown, index, size + 1)[size] ?? null
