/**
 * Returns the hue of a label's color, 0 to 359, from a hash of its name (FNV-1a), so that the color is the same everywhere and
 * for everyone.
 */
export const labelHue = (name: string): number => {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(name)) hash = Math.imul(hash ^ byte, 0x01000193)
  // Short, similar names differ too little in the last bits of the hash, so the bits are mixed once more.
  hash ^= hash >>> 15
  hash = Math.imul(hash, 0x2c1b3c6d)
  return ((hash ^ (hash >>> 12)) >>> 0) % 360
}

const fullCircle = 360
/** Minimum distance between two hues that are easy to distinguish, in degrees. */
const minHueDistance = 40

const distance = (a: number, b: number): number => Math.min((a - b + fullCircle) % fullCircle, (b - a + fullCircle) % fullCircle)

/**
 * Returns the hue nearest to `preferred` that is at least `gap` degrees from all used hues, or `preferred` if there is none.
 */
const nearestUnusedHue = (preferred: number, usedHues: readonly number[], gap: number): number => {
  for (let step = 0; step <= fullCircle / 2; step += 1) {
    for (const hue of [(preferred + step) % fullCircle, (preferred - step + fullCircle) % fullCircle]) {
      if (usedHues.every((other) => distance(other, hue) >= gap)) return hue
    }
  }
  return preferred
}

const noHues: ReadonlyMap<string, number> = new Map()

/**
 * Returns the hues of a question's labels. A label without a chosen hue gets one derived from its name. That hue is moved as
 * little as possible to keep it apart from the chosen hues and the hues of earlier labels.
 */
export const labelHues = (names: readonly string[], chosen = noHues): ReadonlyMap<string, number> => {
  const gap = Math.min(minHueDistance, Math.floor((fullCircle * 0.6) / Math.max(1, names.length)))
  const hues = new Map<string, number>(chosen)
  for (const name of names) if (!chosen.has(name)) hues.set(name, nearestUnusedHue(labelHue(name), [...hues.values()], gap))
  return hues
}
