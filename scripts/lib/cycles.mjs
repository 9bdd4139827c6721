/**
 * Returns cycles of a graph: for each group of overlapping cycles, a shortest cycle through the group's first node. A cycle lists
 * its nodes in order. The first node isn't repeated at the end.
 * @param {ReadonlyMap<string, ReadonlySet<string>>} edges the successors of each node
 * @returns {string[][]}
 */
export const cyclesOf = (edges) => {
  const cycles = []
  const known = new Set()
  for (const node of [...edges.keys()].sort()) {
    if (known.has(node)) continue
    const cycle = shortestCycleFrom(node, edges)
    if (cycle === null) continue
    cycles.push(cycle)
    // Nodes of a reported cycle are skipped, so that overlapping cycles are reported once.
    for (const one of cycle) known.add(one)
  }
  return cycles
}

/** The shortest path from a node back to itself, or null. */
const shortestCycleFrom = (start, edges) => {
  const cameFrom = new Map()
  const waiting = [start]
  for (const node of waiting) {
    for (const next of edges.get(node) ?? []) {
      if (next === start) return pathTo(node, cameFrom)
      if (cameFrom.has(next)) continue
      cameFrom.set(next, node)
      waiting.push(next)
    }
  }
  return null
}

const pathTo = (node, cameFrom) => {
  const path = []
  for (let one = node; one !== undefined; one = cameFrom.get(one)) path.unshift(one)
  return path
}
