import { type Answers, forEachSharedUnit } from './answers.ts'
import { defined, type Measured, undefinedBecause } from './measured.ts'

const codePoints = (text: string): Uint32Array => Uint32Array.from(text, (character) => character.codePointAt(0)!)

const WORD = 32

/** The positions of each code point in a text, as bits. */
const placesIn = (text: Uint32Array, blocks: number): ReadonlyMap<number, Int32Array> => {
  const places = new Map<number, Int32Array>()
  text.forEach((point, i) => {
    const bits = places.get(point) ?? new Int32Array(blocks)
    places.set(point, bits)
    bits[Math.floor(i / WORD)]! |= 1 << (i % WORD)
  })
  return places
}

/**
 * Computes the Levenshtein distance. Each step computes 32 rows of the distance matrix at once. Sources: Myers (1999), A fast
 * bit-vector algorithm for approximate string matching based on dynamic programming; Hyyrö (2003), A bit-vector algorithm for
 * computing Levenshtein and Damerau edit distances.
 */
const distanceOf = (a: Uint32Array, b: Uint32Array): number => {
  if (a.length === 0) return b.length
  const blocks = Math.ceil(a.length / WORD)
  const places = placesIn(a, blocks)
  const nowhere = new Int32Array(blocks)
  const plus = new Int32Array(blocks).fill(-1)
  const minus = new Int32Array(blocks)
  const lastRow = (a.length - 1) % WORD
  let distance = a.length
  for (const point of b) {
    const bits = places.get(point) ?? nowhere
    // The difference between this column and the previous column, in the row above the block: +1 if `up` is 1, −1 if `down` is 1,
    // otherwise 0.
    let [up, down] = [1, 0]
    for (let block = 0; block < blocks; block += 1) {
      const pv = plus[block]!
      const mv = minus[block]!
      const equal = bits[block]! | down
      const vertical = bits[block]! | mv
      const horizontal = (((equal & pv) + pv) ^ pv) | equal
      const ph = mv | ~(horizontal | pv)
      const mh = pv & horizontal
      const shiftedUp = (ph << 1) | up
      plus[block] = (mh << 1) | down | ~(vertical | shiftedUp)
      minus[block] = shiftedUp & vertical
      const row = block === blocks - 1 ? lastRow : WORD - 1
      up = (ph >>> row) & 1
      down = (mh >>> row) & 1
    }
    distance += up - down
  }
  return distance
}

/** 1 − Levenshtein distance / length of the longer text, in code points. 1 for two empty texts. */
export const editSimilarity = (a: string, b: string): number => {
  if (a === b) return 1
  const [x, y] = [codePoints(a), codePoints(b)]
  return 1 - distanceOf(x, y) / Math.max(x.length, y.length)
}

/**
 * Maximum number of `distanceOf` steps. This many steps take about two seconds. If more are needed, the measure isn't computed.
 */
const MAX_STEPS = 500_000_000

/** The mean edit similarity of all pairs of answers to a unit, averaged over the units with at least two answers. */
export const meanEditSimilarity = (answers: Answers, texts: readonly string[]): Measured => {
  let steps = 0
  forEachSharedUnit(answers, (from, to) => {
    for (let i = from; i < to; i += 1)
      for (let j = i + 1; j < to; j += 1) {
        const [c, k] = [answers.values[i]!, answers.values[j]!]
        if (c !== k) steps += Math.ceil(texts[c]!.length / WORD) * texts[k]!.length
      }
  })
  if (steps > MAX_STEPS) return undefinedBecause('too_many_values')
  let [sum, units] = [0, 0]
  forEachSharedUnit(answers, (from, to) => {
    let [inUnit, pairs] = [0, 0]
    for (let i = from; i < to; i += 1) {
      for (let j = i + 1; j < to; j += 1) {
        inUnit += editSimilarity(texts[answers.values[i]!]!, texts[answers.values[j]!]!)
        pairs += 1
      }
    }
    sum += inUnit / pairs
    units += 1
  })
  return units === 0 ? undefinedBecause('no_overlap') : defined(sum / units)
}
