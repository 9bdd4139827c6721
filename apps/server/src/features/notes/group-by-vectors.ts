import { createHash } from 'node:crypto'
import { type Group, groupNotes, groupOf, type Note, wordingsOf } from './group.ts'

/** The vectors of some records, each of length 1, one after the other in the order of `seqs`. */
export type RecordVectors = {
  readonly name: string
  readonly dimensions: number
  readonly seqs: readonly number[]
  readonly numbers: Float32Array
}

const MAX_GROUPS = 40
/** The maximum number of iterations. Each one assigns all records to groups. */
const MAX_ROUNDS = 12

const dot = (a: Float32Array, b: Float32Array): number => {
  let sum = 0
  for (let i = 0; i < a.length; i += 1) sum += (a[i] ?? 0) * (b[i] ?? 0)
  return sum
}

/** The mean of some vectors, scaled to length 1. Null if the vectors cancel each other out. */
const centreOf = (vectors: readonly Float32Array[], dimensions: number): Float32Array | null => {
  const sum = new Float32Array(dimensions)
  for (const vector of vectors) for (let i = 0; i < dimensions; i += 1) sum[i] = (sum[i] ?? 0) + (vector[i] ?? 0)
  const length = Math.sqrt(dot(sum, sum))
  return length === 0 ? null : sum.map((value) => value / length)
}

/** The position of the highest number. */
const highest = (numbers: ArrayLike<number>): number => {
  let best = 0
  for (let i = 1; i < numbers.length; i += 1) if ((numbers[i] ?? 0) > (numbers[best] ?? 0)) best = i
  return best
}

/** Picks vectors that are far from each other. Each vector is the one that is least similar to those picked before it. */
const spreadOut = (vectors: readonly Float32Array[], count: number): Float32Array[] => {
  const [first] = vectors
  if (first === undefined) return []
  const chosen = [first]
  const distances = vectors.map((vector) => 1 - dot(vector, first))
  while (chosen.length < count) {
    const next = vectors[highest(distances)]
    if (next === undefined) break
    chosen.push(next)
    for (const [i, vector] of vectors.entries()) distances[i] = Math.min(distances[i] ?? 0, 1 - dot(vector, next))
  }
  return chosen
}

/**
 * Divides vectors into at most `count` groups of similar directions (spherical k-means: Dhillon & Modha, 2001, Concept
 * decompositions for large sparse text data using clustering). @returns the group of each vector, and the similarity between the
 * vector and its group
 */
const divide = (vectors: readonly Float32Array[], dimensions: number, count: number) => {
  const centres = spreadOut(vectors, count)
  const groups = new Int32Array(vectors.length).fill(-1)
  const similarities = new Float64Array(vectors.length)
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    let isChanged = false
    for (const [i, vector] of vectors.entries()) {
      const all = centres.map((centre) => dot(vector, centre))
      const group = highest(all)
      if (groups[i] !== group) isChanged = true
      groups[i] = group
      similarities[i] = all[group] ?? 0
    }
    if (!isChanged) break
    for (const [group, before] of centres.entries()) {
      const members = vectors.filter((_, i) => groups[i] === group)
      centres[group] = centreOf(members, dimensions) ?? before
    }
  }
  return { groups, similarities }
}

const keyOf = (name: string, seqs: readonly number[]): string =>
  createHash('sha256')
    .update(`${name} ${seqs.join(' ')}`)
    .digest('hex')
    .slice(0, 16)

/**
 * Groups the notes of records with similar vectors, the largest group first. The number of groups is the square root of the number
 * of records, and at most 40. Notes of records without a vector are grouped by their words.
 */
export const groupByVectors = (notes: readonly Note[], { name, dimensions, seqs, numbers }: RecordVectors): readonly Group[] => {
  const noted = new Set(notes.map(({ seq }) => seq))
  const present = [...seqs.entries()].filter(([, seq]) => noted.has(seq))
  const vectors = present.map(([i]) => numbers.subarray(i * dimensions, (i + 1) * dimensions))
  const { groups, similarities } = divide(vectors, dimensions, Math.min(MAX_GROUPS, Math.ceil(Math.sqrt(vectors.length))))
  const places = new Map(present.map(([, seq], i) => [seq, i]))
  const byGroup = Map.groupBy(notes, ({ seq }) => groups[places.get(seq) ?? -1] ?? -1)
  const others = groupNotes(byGroup.get(-1) ?? [])
  byGroup.delete(-1)
  const similarity = ({ seq }: Note): number => similarities[places.get(seq) ?? -1] ?? 0
  const similar = [...byGroup.values()].map((members): Group => {
    // Among equally frequent notes, those of the most typical records come first.
    const sorted = members.toSorted((a, b) => similarity(b) - similarity(a) || a.seq - b.seq)
    const group = groupOf(wordingsOf(sorted))
    return { ...group, key: keyOf(name, group.seqs) }
  })
  return [...similar, ...others].sort((a, b) => b.seqs.length - a.seqs.length || b.notes - a.notes || (a.key < b.key ? -1 : 1))
}
