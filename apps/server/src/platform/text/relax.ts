import { andOf, type Expr, type Leaf, mapLeaves, type Normal } from './tree.ts'

/**
 * Maximum number of tokens in a phrase that the index can find. Longer phrases are found by their words and then compared with
 * the text.
 */
const MAX_INDEXED_PHRASE = 60

const isIndexed = (leaf: Leaf): boolean =>
  leaf.kind === 'phrase'
    ? leaf.slop === 0 && leaf.tokens.length <= MAX_INDEXED_PHRASE
    : leaf.kind !== 'fuzzy' && leaf.kind !== 'sequence' && leaf.kind !== 'beginning'

const words = (leaf: Leaf): Expr => {
  if (leaf.kind === 'sequence') return andOf(leaf.parts)
  if (leaf.kind === 'beginning') return leaf.words
  return leaf.kind === 'phrase' ? andOf([...new Set(leaf.tokens)].map((token) => ({ kind: 'token', token }))) : leaf
}

/**
 * Replaces the leaves that the index can't evaluate. The result of `widen` matches at least the same records as `expr`. The
 * result of `narrow` matches at most the same records.
 */
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
 * Returns a tree that an index can evaluate. If the index can't evaluate the given tree, `recheck` is true and the returned tree
 * is broader: it finds more records or, if it is negated, excludes fewer. The results must then be checked with `evaluateNormal`.
 * Fuzzy words must be replaced beforehand.
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
