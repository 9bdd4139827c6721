import type { Beginning } from './tokens.ts'

/** A fuzzy word, or its expansions in one dataset. */
export type Approximate =
  | { readonly kind: 'fuzzy'; readonly token: string; readonly distance: number }
  | { readonly kind: 'any'; readonly tokens: readonly string[] }

/**
 * The tree of a text query. A leaf is a condition on one field. It matches a record if it matches any of the record's fields.
 * Leaves contain tokens in canonical form (`tokens.ts`).
 */
export type Leaf =
  | { readonly kind: 'token'; readonly token: string }
  /** A chat role, compared as a whole and case-sensitively. */
  | { readonly kind: 'role'; readonly role: string }
  | { readonly kind: 'prefix'; readonly prefix: string }
  | Approximate
  /** Two or more fuzzy words that must follow each other directly, in this order. Together they are one word of the query. */
  | { readonly kind: 'sequence'; readonly parts: readonly Approximate[] }
  /**
   * A prefix that contains punctuation. Tokens contain no punctuation, so the text itself must be checked. `words` is a condition
   * on tokens that all matching records fulfill, but other records may fulfill it too.
   */
  | { readonly kind: 'beginning'; readonly beginning: Beginning; readonly words: Expr }
  /** Two or more tokens in this order. `slop` is the total number of positions by which they may be moved. */
  | { readonly kind: 'phrase'; readonly tokens: readonly string[]; readonly slop: number }

export type TextNode =
  | Leaf
  | { readonly kind: 'and'; readonly nodes: readonly TextNode[] }
  | { readonly kind: 'or'; readonly nodes: readonly TextNode[] }
  | { readonly kind: 'not'; readonly node: TextNode }
  | { readonly kind: 'all' }
  | { readonly kind: 'none' }

/** A tree without `not`. Instead, `minus` subtracts the records of `less` from the records of `from`, which an index can list. */
export type Expr =
  | Leaf
  | { readonly kind: 'none' }
  | { readonly kind: 'and'; readonly nodes: readonly Expr[] }
  | { readonly kind: 'or'; readonly nodes: readonly Expr[] }
  | { readonly kind: 'minus'; readonly from: Expr; readonly less: Expr }

/** The records that `expr` matches or, if negated, all other records. */
export type Normal = { readonly negated: boolean; readonly expr: Expr }

const none: Expr = { kind: 'none' }

/** Intersection of trees, flattened. */
export const andOf = (nodes: readonly Expr[]): Expr => {
  const flat = nodes.flatMap((node) => (node.kind === 'and' ? node.nodes : [node]))
  if (flat.length === 0 || flat.some((node) => node.kind === 'none')) return none
  return flat.length === 1 ? flat[0]! : { kind: 'and', nodes: flat }
}

/** Union of trees, flattened. */
const orOf = (nodes: readonly Expr[]): Expr => {
  const flat = nodes.flatMap((node) => (node.kind === 'or' ? node.nodes : node.kind === 'none' ? [] : [node]))
  if (flat.length === 0) return none
  return flat.length === 1 ? flat[0]! : { kind: 'or', nodes: flat }
}

const minusOf = (from: Expr, less: Expr): Expr =>
  from.kind === 'none' || less.kind === 'none' ? from : { kind: 'minus', from, less }

const split = (nodes: readonly TextNode[]): { plain: Expr[]; negated: Expr[] } => {
  const plain: Expr[] = []
  const negated: Expr[] = []
  for (const node of nodes) {
    const normal = normalise(node)
    ;(normal.negated ? negated : plain).push(normal.expr)
  }
  return { plain, negated }
}

/** Moves negations so that they only subtract from a set or occur once at the top of the tree. */
export const normalise = (node: TextNode): Normal => {
  if (node.kind === 'all') return { negated: true, expr: none }
  if (node.kind === 'not') {
    const inner = normalise(node.node)
    return { negated: !inner.negated, expr: inner.expr }
  }
  if (node.kind === 'and') {
    const { plain, negated } = split(node.nodes)
    return plain.length === 0
      ? { negated: true, expr: orOf(negated) }
      : { negated: false, expr: minusOf(andOf(plain), orOf(negated)) }
  }
  if (node.kind === 'or') {
    const { plain, negated } = split(node.nodes)
    return negated.length === 0
      ? { negated: false, expr: orOf(plain) }
      : { negated: true, expr: minusOf(andOf(negated), orOf(plain)) }
  }
  return { negated: false, expr: node }
}

/** Replaces leaves, for example fuzzy words with their expansions. */
export const mapLeaves = (expr: Expr, replace: (leaf: Leaf) => Expr): Expr => {
  if (expr.kind === 'none') return expr
  if (expr.kind === 'and') return andOf(expr.nodes.map((node) => mapLeaves(node, replace)))
  if (expr.kind === 'or') return orOf(expr.nodes.map((node) => mapLeaves(node, replace)))
  if (expr.kind === 'minus') return minusOf(mapLeaves(expr.from, replace), mapLeaves(expr.less, replace))
  return replace(expr)
}

/** Returns all leaves. With `positive`, leaves out those that are subtracted. */
export const leavesOf = (expr: Expr, positive = false): Leaf[] => {
  if (expr.kind === 'none') return []
  if (expr.kind === 'and' || expr.kind === 'or') return expr.nodes.flatMap((node) => leavesOf(node, positive))
  if (expr.kind === 'minus') return [...leavesOf(expr.from, positive), ...(positive ? [] : leavesOf(expr.less))]
  return [expr]
}

/** Like `leavesOf`, but replaces leaves that consist of other leaves with their parts. */
export const wordLeavesOf = (expr: Expr, positive = false): Leaf[] =>
  leavesOf(expr, positive).flatMap((leaf): readonly Leaf[] => {
    if (leaf.kind === 'sequence') return leaf.parts
    return leaf.kind === 'beginning' ? wordLeavesOf(leaf.words) : [leaf]
  })
