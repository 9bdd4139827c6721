/**
 * One circle of each knot of a graph: a shortest one through the first of its nodes, without the return to that.
 * @param {ReadonlyMap<string, ReadonlySet<string>>} edges from each node to others
 * @returns {string[][]}
 */
export const circlesOf = (edges) => {
  const circles = []
  const known = new Set()
  for (const node of [...edges.keys()].sort()) {
    if (known.has(node)) continue
    const circle = circleFrom(node, edges)
    if (circle === null) continue
    circles.push(circle)
    // What lies on several circles is told once.
    for (const one of circle) known.add(one)
  }
  return circles
}

/** The shortest way from a node back to it, or null. */
const circleFrom = (start, edges) => {
  const cameFrom = new Map()
  const waiting = [start]
  for (const node of waiting) {
    for (const next of edges.get(node) ?? []) {
      if (next === start) return wayTo(node, cameFrom)
      if (cameFrom.has(next)) continue
      cameFrom.set(next, node)
      waiting.push(next)
    }
  }
  return null
}

const wayTo = (node, cameFrom) => {
  const way = []
  for (let one = node; one !== undefined; one = cameFrom.get(one)) way.unshift(one)
  return way
}
