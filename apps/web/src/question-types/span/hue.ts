/** Hue of a label's colour, 0 to 359, from a hash of its name (FNV-1a): the same on every screen and for everyone. */
export const labelHue = (name: string): number => {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(name)) hash = Math.imul(hash ^ byte, 0x01000193)
  // The last bits of short, similar names differ too little: mix them once more.
  hash ^= hash >>> 15
  hash = Math.imul(hash, 0x2c1b3c6d)
  return ((hash ^ (hash >>> 12)) >>> 0) % 360
}

const circle = 360
/** Colours this many degrees apart are told apart at a glance. */
const apart = 40

const distance = (a: number, b: number): number => Math.min((a - b + circle) % circle, (b - a + circle) % circle)

/** The hue nearest to `wanted` that keeps `gap` degrees from all that are taken; `wanted` when there is none. */
const nearestFree = (wanted: number, taken: readonly number[], gap: number): number => {
  for (let step = 0; step <= circle / 2; step += 1) {
    for (const hue of [(wanted + step) % circle, (wanted - step + circle) % circle]) {
      if (taken.every((other) => distance(other, hue) >= gap)) return hue
    }
  }
  return wanted
}

const nothing: ReadonlyMap<string, number> = new Map()

/**
 * The hues of a question's labels: what was chosen, else each its own name's, moved only as far as it takes to be told apart from those
 * that were chosen and those before it.
 */
export const labelHues = (names: readonly string[], chosen = nothing): ReadonlyMap<string, number> => {
  const gap = Math.min(apart, Math.floor((circle * 0.6) / Math.max(1, names.length)))
  const hues = new Map<string, number>(chosen)
  for (const name of names) if (!chosen.has(name)) hues.set(name, nearestFree(labelHue(name), [...hues.values()], gap))
  return hues
}
