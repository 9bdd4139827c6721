import { andOf, type Expr, type Leaf, mapLeaves, type Normal } from './tree.ts'

/** Longer phrases are found by their words and compared with the text itself. */
export const MAX_INDEXED_PHRASE = 60

const isIndexed = (leaf: Leaf): boolean =>
  leaf.kind === 'phrase' ? leaf.slop === 0 && leaf.tokens.length <= MAX_INDEXED_PHRASE : leaf.kind !== 'fuzzy'

const words = (leaf: Leaf): Expr =>
  leaf.kind === 'phrase' ? andOf([...new Set(leaf.tokens)].map((token) => ({ kind: 'token', token }))) : leaf

/** Every leaf that is not indexed grows to what it needs at least, or shrinks to nothing, whichever makes the whole larger. */
const widen = (expr: Expr): Expr => {
  if (expr.kind === 'and' || expr.kind === 'or') return { kind: expr.kind, nodes: expr.nodes.map(widen) }
  if (expr.kind === 'minus') return { kind: 'minus', from: widen(expr.from), less: narrow(expr.less) }
  return expr.kind === 'none' || isIndexed(expr) ? expr : words(expr)
}
const narrow = (expr: Expr): Expr => {
  if (expr.kind === 'and' || expr.kind === 'or') return { kind: expr.kind, nodes: expr.nodes.map(narrow) }
  if (expr.kind === 'minus') return { kind: 'minus', from: narrow(expr.from), less: widen(expr.less) }
  return expr.kind === 'none' || isIndexed(expr) ? expr : { kind: 'none' }
}

/**
 * The tree that an index can answer: the same, or one that finds more (of a negated tree: takes away less), and then
 * `recheck` says that what it leaves is to be compared with `evaluateNormal`. Fuzzy words must have been replaced before.
 */
export const indexable = (normal: Normal): Normal & { readonly recheck: boolean } => {
  let recheck = false
  mapLeaves(normal.expr, (leaf) => {
    if (!isIndexed(leaf)) recheck = true
    return leaf
  })
  if (!recheck) return { ...normal, recheck }
  const changed = normal.negated ? narrow(normal.expr) : widen(normal.expr)
  return { negated: normal.negated, expr: mapLeaves(changed, (leaf) => leaf), recheck }
}
