import type { TraceStep } from '@postil/contract/trace.ts'

/** A step in the tree of a trace. */
export type TreeRow = {
  /** The position of the step in the trace. */
  readonly index: number
  readonly step: TraceStep
  /** How deeply the step is nested: 0 if it isn't part of another step. */
  readonly depth: number
  /** The position of the parent step, or null for a root. */
  readonly parent: number | null
  readonly hasChildren: boolean
  /** The position of the step among the steps with the same parent, starting at 1. `siblings` is the number of these steps. */
  readonly place: number
  readonly siblings: number
}

/**
 * Returns the steps of a trace in the order of the tree. Steps with the same parent are ordered by their start. A step whose
 * parent is missing is a root. If steps contain each other, the first of them is a root.
 */
export const treeOf = (steps: readonly TraceStep[]): readonly TreeRow[] => {
  const positions = new Map(steps.map(({ id }, index) => [id, index]))
  const parentOf = ({ id, parent }: TraceStep): number | null =>
    parent === undefined || parent === id ? null : (positions.get(parent) ?? null)
  const byStart = (a: number, b: number): number => {
    const [first, second] = [steps[a]?.start, steps[b]?.start]
    if (first === second || first === undefined || second === undefined) return a - b
    return first < second ? -1 : 1
  }
  const children = Map.groupBy(steps.keys(), (index) => parentOf(steps[index]!))
  const orderedChildren = (index: number | null): readonly number[] => (children.get(index) ?? []).toSorted(byStart)
  const rows: TreeRow[] = []
  const seen = new Set<number>()
  const addBelow = (roots: readonly number[]): void => {
    const open = roots.map((index, at) => ({
      index,
      depth: 0,
      parent: null as number | null,
      place: at + 1,
      siblings: roots.length,
    }))
    open.reverse()
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { index } = next
      const step = steps[index]
      if (step === undefined || seen.has(index)) continue
      seen.add(index)
      const below = orderedChildren(index).filter((child) => !seen.has(child))
      rows.push({ ...next, step, hasChildren: below.length > 0 })
      const inner = below.map((child, at) => ({
        index: child,
        depth: next.depth + 1,
        parent: index,
        place: at + 1,
        siblings: below.length,
      }))
      open.push(...inner.toReversed())
    }
  }
  addBelow(orderedChildren(null))
  // Only steps that contain each other are left.
  for (const index of steps.keys()) if (!seen.has(index)) addBelow([index])
  return rows
}

/** Returns the rows that aren't inside a folded row. @param folded positions of steps */
export const unfoldedRows = (rows: readonly TreeRow[], folded: ReadonlySet<number>): readonly TreeRow[] => {
  if (folded.size === 0) return rows
  const shown: TreeRow[] = []
  let hiddenBelow = Number.POSITIVE_INFINITY
  for (const row of rows) {
    if (row.depth > hiddenBelow) continue
    hiddenBelow = folded.has(row.index) ? row.depth : Number.POSITIVE_INFINITY
    shown.push(row)
  }
  return shown
}

/** Returns the positions of a step's ancestors. @param parents maps each step's position to its parent's position */
export const stepsAbove = (parents: ReadonlyMap<number, number | null>, index: number): readonly number[] => {
  const above: number[] = []
  for (let at = parents.get(index) ?? null; at !== null; at = parents.get(at) ?? null) above.push(at)
  return above
}
