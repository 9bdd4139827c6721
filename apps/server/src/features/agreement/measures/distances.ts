import { jaccardSimilarity, sharedCount } from '#question-types/similarity.ts'

/** The distance between two values, given by index. 0 for equal values; symmetric. */
export type Distance = (c: number, k: number) => number

/**
 * Creates a distance function. `counts`: the number of pairable answers for each value. Only the ordinal distance depends on
 * them. Krippendorff (2011), Computing Krippendorff's Alpha-Reliability, section E.
 */
export type Metric = (counts: ArrayLike<number>) => Distance

export const nominal: Metric = () => (c, k) => (c === k ? 0 : 1)

/** (c − k)², computed from the numbers in `scale` instead of the indexes c and k. */
export const interval =
  (scale: readonly number[]): Metric =>
  () =>
  (c, k) =>
    (scale[c]! - scale[k]!) ** 2

/** (Σ_{g=c..k} n_g − (n_c + n_k)/2)². The values' indexes must be in the order of the scale. */
export const ordinal: Metric = (counts) => {
  const before = new Float64Array(counts.length + 1)
  for (let i = 0; i < counts.length; i += 1) before[i + 1] = before[i]! + counts[i]!
  return (c, k) => {
    const [low, high] = c < k ? [c, k] : [k, c]
    return (before[high + 1]! - before[low]! - (counts[low]! + counts[high]!) / 2) ** 2
  }
}

/** 1 − |A ∩ B| / |A ∪ B|. `sets` are ascending lists of labels. */
export const jaccard =
  (sets: readonly (readonly number[])[]): Metric =>
  () =>
  (c, k) =>
    c === k ? 0 : 1 - jaccardSimilarity(sets[c]!, sets[k]!)

/**
 * 1 − J·M with M = 1 for equal sets, 2/3 if one contains the other, 1/3 if they overlap, and 0 if they are disjoint. Passonneau
 * (2006), Measuring Agreement on Set-valued Items (MASI) for Semantic and Pragmatic Annotation.
 */
export const masi =
  (sets: readonly (readonly number[])[]): Metric =>
  () =>
  (c, k) => {
    const a = sets[c]!
    const b = sets[k]!
    const shared = sharedCount(a, b)
    if (shared === a.length && shared === b.length) return 0
    if (shared === 0) return 1
    const isContained = shared === a.length || shared === b.length
    return 1 - (shared / (a.length + b.length - shared)) * (isContained ? 2 / 3 : 1 / 3)
  }

/**
 * The length of the shortest path between two labels in a tree, as a fraction of the longest possible path: (d_c + d_k − 2·d_l) /
 * (2·max d), where d_x is the number of labels on the path from the top to x, and l is the lowest common ancestor of c and k.
 * Labels at the top are below a common root, for which d = 0. The fraction isn't squared. Rada et al. (1989), Development and
 * Application of a Metric on Semantic Nets.
 * @param paths the labels from the top to each label, including the label itself
 */
export const treePath = (paths: readonly (readonly number[])[]): Metric => {
  const longest = 2 * Math.max(1, ...paths.map(({ length }) => length))
  return () => (c, k) => {
    const a = paths[c]!
    const b = paths[k]!
    let shared = 0
    while (shared < a.length && shared < b.length && a[shared] === b[shared]) shared += 1
    return (a.length + b.length - 2 * shared) / longest
  }
}

/** Extends each set with all ancestors of its labels, in ascending order. @param paths as for `treePath` */
export const withAncestors = (
  sets: readonly (readonly number[])[],
  paths: readonly (readonly number[])[],
): readonly (readonly number[])[] =>
  sets.map((set) => [...new Set(set.flatMap((label) => paths[label] ?? [label]))].sort((a, b) => a - b))
