import { isNearTo } from './fuzzy.ts'
import { canonicalToken, hasBeginning } from './tokens.ts'
import type { Approximate, Expr, Leaf, Normal, TextNode } from './tree.ts'

/**
 * The searchable content of one field of a record: its tokens in order. A chat message starts with its role, written as `=` and
 * the role. Phrases do not cross message boundaries.
 */
export type FieldTokens = { readonly field: number; readonly tokens: readonly string[] }

/**
 * A field's tokens, and its texts as written. Searches for a prefix that contains punctuation use the texts. All other searches
 * use the tokens.
 */
export type FieldContent = FieldTokens & { readonly texts: readonly string[] }

/** Prefix of the token for a chat role. No other token starts with it. */
export const ROLE_MARK = '='
export const roleToken = (role: string): string => ROLE_MARK + canonicalToken(role)

/** Distance between the positions of two chat messages. */
const MESSAGE_GAP = 1_000_000_000

/** A field with the positions of each token. */
type IndexedField = {
  readonly field: number
  readonly positions: ReadonlyMap<string, readonly number[]>
  readonly texts: readonly string[]
}

export const indexField = ({ field, tokens, texts }: FieldContent): IndexedField => {
  const positions = new Map<string, number[]>()
  let at = 0
  for (const token of tokens) {
    if (token.startsWith(ROLE_MARK)) at = (Math.floor(at / MESSAGE_GAP) + 1) * MESSAGE_GAP
    const known = positions.get(token)
    if (known === undefined) positions.set(token, [at])
    else known.push(at)
    at += 1
  }
  return { field, positions, texts }
}

/** The first index in an ascending list whose value is at least `least`. */
const lowerBound = (list: readonly number[], least: number): number => {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (list[middle]! < least) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * Whether the phrase fits: each token's position minus its index in the phrase must be in `[start, start + slop]`. No position
 * is used twice.
 */
const fitsAt = (lists: readonly (readonly number[])[], tokens: readonly string[], start: number, slop: number): boolean => {
  const used = new Map<string, number>()
  for (let i = 0; i < lists.length; i++) {
    const list = lists[i]!
    const least = Math.max(start + i, (used.get(tokens[i]!) ?? -1) + 1)
    const position = list[lowerBound(list, least)]
    if (position === undefined || position > start + i + slop) return false
    used.set(tokens[i]!, position)
  }
  return true
}

/**
 * Whether the tokens directly follow each other in this order. With `slop`, whether they do so after being moved by at most
 * that many positions in total (swapping two neighbors takes 2).
 */
export const hasPhrase = (positions: IndexedField['positions'], tokens: readonly string[], slop: number): boolean => {
  const lists = tokens.map((token) => positions.get(token))
  if (!lists.every((list) => list !== undefined)) return false
  // The tightest window starts at one of the tokens' positions, so only those need to be tried. Without slop, the positions of
  // any one token are enough.
  const starts =
    slop === 0 ? [lists.reduce((shortest, list, i) => (list.length < lists[shortest]!.length ? i : shortest), 0)] : lists.keys()
  for (const i of starts) {
    if (lists[i]!.some((position) => fitsAt(lists, tokens, position - i, slop))) return true
  }
  return false
}

const matchesToken = (leaf: Approximate): ((token: string) => boolean) => {
  if (leaf.kind === 'any') {
    const tokens = new Set(leaf.tokens)
    return (token) => tokens.has(token)
  }
  return isNearTo(leaf)
}

/** Whether the text contains tokens that match the parts, directly after each other and in the order of the parts. */
const hasSequence = (positions: IndexedField['positions'], parts: readonly Approximate[]): boolean => {
  const places = parts.map((part) => {
    const matches = matchesToken(part)
    return new Set([...positions].flatMap(([token, at]) => (matches(token) ? at : [])))
  })
  const [first, ...rest] = places
  return first !== undefined && [...first].some((at) => rest.every((place, i) => place.has(at + i + 1)))
}

const holdsIn = (leaf: Leaf, { positions, texts }: IndexedField): boolean => {
  if (leaf.kind === 'token') return positions.has(leaf.token)
  if (leaf.kind === 'role') return positions.has(roleToken(leaf.role))
  if (leaf.kind === 'any') return leaf.tokens.some((token) => positions.has(token))
  if (leaf.kind === 'phrase') return hasPhrase(positions, leaf.tokens, leaf.slop)
  if (leaf.kind === 'sequence') return hasSequence(positions, leaf.parts)
  if (leaf.kind === 'beginning') return texts.some((text) => hasBeginning(text, leaf.beginning))
  const tokens = [...positions.keys()]
  if (leaf.kind === 'prefix') return tokens.some((token) => token.startsWith(leaf.prefix))
  return tokens.some(matchesToken(leaf))
}

/**
 * Whether a record matches a text query. This function defines the meaning of text queries; both engines are tested against it.
 *
 * @param fields the record's searchable fields; if the query names a field, only that field
 */
export const evaluate = (node: TextNode | Expr, fields: readonly IndexedField[]): boolean => {
  if (node.kind === 'all') return true
  if (node.kind === 'none') return false
  if (node.kind === 'and') return node.nodes.every((child) => evaluate(child, fields))
  if (node.kind === 'or') return node.nodes.some((child) => evaluate(child, fields))
  if (node.kind === 'not') return !evaluate(node.node, fields)
  if (node.kind === 'minus') return evaluate(node.from, fields) && !evaluate(node.less, fields)
  return fields.some((field) => holdsIn(node, field))
}

/** Like `evaluate`, for the normalized form. */
export const evaluateNormal = (normal: Normal, fields: readonly IndexedField[]): boolean =>
  evaluate(normal.expr, fields) !== normal.negated
