import type { Span } from '@postil/contract/answer-value.ts'
import { type Answers, forEachSharedUnit } from './answers.ts'

/**
 * A part of a text in which no rater's labels change. `sets` contains one index for each rater: the index of the rater's label
 * set. The indexes are sorted in ascending order, so their order doesn't show which rater they belong to.
 */
export type Segment = { readonly sets: Uint32Array; readonly length: number }

/** Gives each distinct set of labels an index. `sets` are ascending lists of labels. Index 0 is the empty set. */
export class LabelSets {
  readonly sets: (readonly number[])[] = [[]]
  readonly #known = new Map<string, number>([['', 0]])
  indexOf(labels: readonly number[]): number {
    const key = labels.join(' ')
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const index = this.sets.length
    this.sets.push(labels)
    this.#known.set(key, index)
    return index
  }
}

type Edge = { readonly at: number; readonly rater: number; readonly label: number; readonly step: 1 | -1 }

/**
 * Splits text wherever any rater's span starts or ends. Each segment is weighted by its number of code points, so overlaps,
 * nesting and the order of the spans make no difference. The result is the same as when all characters are compared one by one.
 * @param length number of code points in the text
 */
export const segmentsOf = (
  answers: readonly (readonly Span[])[],
  length: number,
  labelIndex: (label: string) => number,
  labelSets: LabelSets,
): Segment[] => {
  const edges: Edge[] = answers.flatMap((spans, rater) =>
    spans.flatMap(({ label, start, end }): Edge[] => [
      { at: start, rater, label: labelIndex(label), step: 1 },
      { at: end, rater, label: labelIndex(label), step: -1 },
    ]),
  )
  edges.sort((a, b) => a.at - b.at)
  const open = answers.map(() => new Map<number, number>())
  const current = new Uint32Array(answers.length)
  const segments: Segment[] = []
  let from = 0
  const close = (to: number): void => {
    if (to > from) segments.push({ sets: current.slice().sort(), length: to - from })
    from = Math.max(from, to)
  }
  for (let i = 0; i < edges.length; ) {
    const { at } = edges[i]!
    close(at)
    const changed = new Set<number>()
    for (; i < edges.length && edges[i]!.at === at; i += 1) {
      const { rater, label, step } = edges[i]!
      const labels = open[rater]!
      const depth = (labels.get(label) ?? 0) + step
      if (depth === 0) labels.delete(label)
      else labels.set(label, depth)
      changed.add(rater)
    }
    for (const rater of changed) current[rater] = labelSets.indexOf([...open[rater]!.keys()].sort((a, b) => a - b))
  }
  close(length)
  return segments
}

/**
 * The segments of all units with at least two answers.
 * @param spans the spans of each distinct value
 * @param lengths number of code points of each unit's text
 */
export const segmentUnits = (
  answers: Answers,
  spans: readonly (readonly Span[])[],
  lengths: ArrayLike<number>,
  labelIndex: (label: string) => number,
): { readonly units: readonly (readonly Segment[])[]; readonly sets: readonly (readonly number[])[] } => {
  const labelSets = new LabelSets()
  const units: Segment[][] = []
  let unit = 0
  forEachSharedUnit(answers, (from, to) => {
    while (answers.starts[unit] !== from) unit += 1
    const lists = Array.from(answers.values.subarray(from, to), (value) => spans[value]!)
    units.push(segmentsOf(lists, lengths[unit]!, labelIndex, labelSets))
  })
  return { units, sets: labelSets.sets }
}
