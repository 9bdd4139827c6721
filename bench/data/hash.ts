import { createHash } from 'node:crypto'

/** An integer hash of a string, the same on every machine. */
export const hashOf = (text: string): number => createHash('sha1').update(text).digest().readUInt32BE(0)

/** Hashes a string to a number in [0, 1). */
export const fractionOf = (text: string): number => hashOf(text) / 2 ** 32

/** 32-bit FNV-1a, which is fast enough for every word of every record. */
const fnv = (text: string): number => {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

export const VECTOR_SIZE = 64

/** A hashed bag of words as a unit vector, rounded to four decimals. */
export const bagOfWords = (text: string): number[] => {
  const bag = new Array<number>(VECTOR_SIZE).fill(0)
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['']) {
    const hash = fnv(word)
    const at = hash % VECTOR_SIZE
    bag[at] = (bag[at] ?? 0) + ((hash >>> 16) & 1 ? 1 : -1)
  }
  const length = Math.sqrt(bag.reduce((sum, x) => sum + x * x, 0))
  // Words can cancel each other out, and a zero vector has no direction.
  if (length === 0) bag[0] = 1
  return bag.map((x) => Math.round((x / (length || 1)) * 10_000) / 10_000)
}
