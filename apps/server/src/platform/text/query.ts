import { type Beginning, beginningOf, tokenize } from './tokens.ts'
import { andOf, type Expr, type TextNode } from './tree.ts'
import { withoutEnd } from './without-end.ts'

/** Query tokens beyond this number are ignored. */
export const MAX_QUERY_TOKENS = 256
/** Maximum number of words and phrases that end in `*` or `~`, which are expensive to find. */
export const MAX_PATTERNS = 32
/** Maximum nesting depth, through parentheses or alternating `|` and `+`. Deeper clauses are ignored. */
export const MAX_QUERY_DEPTH = 48
/** Maximum edit distance of a fuzzy word. Larger distances count as 2. */
const MAX_DISTANCE = 2
const MAX_SLOP = 1_000_000
/** Maximum length of a prefix. Longer prefixes are searched for as whole words. */
const MAX_PREFIX_BYTES = 200

type Built = { readonly node: TextNode; readonly depth: number }
type Operator = 'and' | 'or'
type Group = { top: Built | null; previous: Operator | null; current: Operator | null; negations: number }
type Parser = {
  readonly text: string
  /** For each closed `(`, the position of its `)`. For each `"`, the position of the next `"`. */
  readonly partner: ReadonlyMap<number, number>
  tokensLeft: number
}

const newGroup = (): Group => ({ top: null, previous: null, current: null, negations: 0 })
/**
 * Whether a character is whitespace. In JavaScript, byte order marks and narrow no-break spaces are also whitespace, but here
 * they are parts of words.
 */
const isSpace = (char: string): boolean => /[^\S\ufeff\u202f]/.test(char)
const endsWord = (char: string): boolean =>
  char === '"' || char === '|' || char === '+' || char === '(' || char === ')' || isSpace(char)

/**
 * Whether the character at `at` is a backslash that escapes the next one: an operator, a backslash or a blank. Before any other
 * character, a backslash is an ordinary character, as in a path.
 */
const isEscape = (text: string, at: number): boolean => {
  const next = text[at + 1]
  return text[at] === '\\' && next !== undefined && ('"|+-()~*\\'.includes(next) || isSpace(next))
}

/**
 * Maps the position of each `(` to the position of its `)`, and the position of each `"` to the position of the next `"`. Skips
 * escaped characters.
 */
const partners = (text: string): Map<number, number> => {
  const partner = new Map<number, number>()
  const open: number[] = []
  let quote = -1
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (isEscape(text, at)) at += 1
    else if (char === '(') open.push(at)
    else if (char === ')') {
      const from = open.pop()
      if (from !== undefined) partner.set(from, at)
    } else if (char === '"') {
      if (quote >= 0) partner.set(quote, at)
      quote = at
    }
  }
  return partner
}

/** Adds one clause to the clauses on its left. Operators have no precedence and are left-associative. */
const addClause = (group: Group, clause: Built | null): void => {
  const { negations } = group
  group.negations = 0
  if (clause === null) return
  const built: Built = negations % 2 === 1 ? { node: { kind: 'not', node: clause.node }, depth: clause.depth + 1 } : clause
  const operator = group.current ?? 'and'
  group.current = null
  if (group.top === null) {
    group.top = built
    return
  }
  const { top } = group
  const joined = group.previous === operator && top.node.kind === operator ? top.node.nodes : null
  const depth = Math.max(joined === null ? top.depth + 1 : top.depth, built.depth + 1)
  if (depth > MAX_QUERY_DEPTH) return
  if (joined === null) group.top = { node: { kind: operator, nodes: [top.node, built.node] }, depth }
  else {
    ;(joined as TextNode[]).push(built.node)
    group.top = { node: top.node, depth }
  }
  group.previous = operator
}

/** Takes tokens from the query's remaining budget. */
const spend = (parser: Parser, tokens: string[]): string[] => {
  const taken = tokens.slice(0, parser.tokensLeft)
  parser.tokensLeft -= taken.length
  return taken
}

/** Lets a word or phrase also match a chat role. `raw` is the text as written in the query. */
const orRole = (node: TextNode, raw: string): Built => ({
  node: { kind: 'or', nodes: [node, { kind: 'role', role: raw }] },
  depth: 3,
})

/**
 * Matches one written word. If the word has several tokens, such as `foo-bar`, they must be next to each other, like the tokens
 * of a phrase.
 */
const asWritten = ([first, ...rest]: readonly [string, ...string[]], slop: number): TextNode =>
  rest.length === 0 ? { kind: 'token', token: first } : { kind: 'phrase', tokens: [first, ...rest], slop }

const isNotEmpty = <T>(list: readonly T[]): list is readonly [T, ...T[]] => list.length > 0

const plainWord = (parser: Parser, raw: string, slop = 0): Built | null => {
  const tokens = spend(parser, tokenize(raw))
  return isNotEmpty(tokens) ? orRole(asWritten(tokens, slop), raw) : null
}

/**
 * Returns a prefix that finds the words in which more characters follow `base`. A word can continue after `don'` or `1.`, but not
 * after `foo!`. Returns null if no word can continue.
 */
const joinedBeginning = (base: string, last: string, count: number): string | null => {
  for (const next of ['a', '1']) {
    const tokens = tokenize(base + next)
    const longer = tokens.at(-1) ?? ''
    if (tokens.length === count && longer.startsWith(last) && Buffer.byteLength(longer, 'utf8') <= MAX_PREFIX_BYTES)
      return longer.slice(0, -1)
  }
  return null
}

/**
 * An expression of tokens and prefixes that finds all records with a word that starts with `base`. It may also find other
 * records.
 */
const wordsOf = (base: string, tokens: readonly string[], { mustContinue }: Beginning): Expr => {
  const last = tokens.at(-1) ?? ''
  const before = tokens.slice(0, -1).map((token): Expr => ({ kind: 'token', token }))
  if (!mustContinue) return andOf([...before, { kind: 'prefix', prefix: last }])
  const whole: Expr = { kind: 'token', token: last }
  const joined = joinedBeginning(base, last, tokens.length)
  return andOf([...before, joined === null ? whole : { kind: 'or', nodes: [whole, { kind: 'prefix', prefix: joined }] }])
}

const prefixWord = (parser: Parser, raw: string): Built | null => {
  const base = withoutEnd(raw, '*')
  if (base === '') return { node: { kind: 'all' }, depth: 1 }
  const written = tokenize(base)
  const tokens = spend(parser, written)
  if (!isNotEmpty(tokens)) return null
  const last = tokens.at(-1)!
  const isWhole = tokens.length === written.length
  if (!isWhole || Buffer.byteLength(last, 'utf8') > MAX_PREFIX_BYTES) return { node: asWritten(tokens, 0), depth: 3 }
  const beginning = beginningOf(base)
  if (beginning.text === last) return { node: { kind: 'prefix', prefix: last }, depth: 3 }
  return { node: { kind: 'beginning', beginning, words: wordsOf(base, tokens, beginning) }, depth: 3 }
}

const fuzzyWord = (parser: Parser, raw: string, distance: number): Built | null => {
  if (distance === 0) return plainWord(parser, raw)
  const parts = spend(parser, tokenize(raw)).map((token) => ({ kind: 'fuzzy' as const, token, distance }))
  if (!isNotEmpty(parts)) return null
  return { node: parts.length === 1 ? parts[0] : { kind: 'sequence', parts }, depth: 2 }
}

/**
 * Reads the number that follows the `~` at `at`.
 * @returns `value`: the number; `missing` if nothing follows the `~`, or 0 if the text isn't a number. `next`: the position after
 * the number
 */
const readNumber = (text: string, at: number, end: number, missing: number): { value: number; next: number } => {
  let next = at + 1
  while (next < end && !endsWord(text[next]!)) next += 1
  const digits = text.slice(at + 1, next)
  if (digits === '') return { value: missing, next }
  return { value: /^\d+$/.test(digits) ? Math.min(Number(digits), MAX_SLOP) : 0, next }
}

const unescaped = (text: string): string => {
  let out = ''
  for (let at = 0; at < text.length; at++) {
    if (isEscape(text, at)) at += 1
    out += text[at]
  }
  return out
}

/** Whether a word ends with a `*` that is not escaped. */
const isOpen = (raw: string): boolean => {
  if (!raw.endsWith('*')) return false
  const before = raw.slice(0, -1)
  return (before.length - withoutEnd(before, '\\').length) % 2 === 0
}

const readWord = (parser: Parser, group: Group, from: number, end: number): number => {
  const { text } = parser
  let at = from
  while (at < end && !endsWord(text[at]!) && !(text[at] === '~' && at > from)) at += isEscape(text, at) ? 2 : 1
  at = Math.min(at, end)
  const raw = text.slice(from, at)
  if (text[at] === '~' && at < end) {
    const { value, next } = readNumber(text, at, end, MAX_DISTANCE)
    addClause(group, fuzzyWord(parser, unescaped(raw), Math.min(value, MAX_DISTANCE)))
    return next
  }
  addClause(group, isOpen(raw) ? prefixWord(parser, unescaped(raw)) : plainWord(parser, unescaped(raw)))
  return at
}

const readPhrase = (parser: Parser, group: Group, from: number, end: number): number => {
  const close = parser.partner.get(from)
  // A quote without a closing quote is ignored.
  if (close === undefined || close >= end) return from + 1
  const raw = unescaped(parser.text.slice(from + 1, close))
  const near = parser.text[close + 1] === '~' && close + 1 < end
  const { value: slop, next } = near ? readNumber(parser.text, close + 1, end, 0) : { value: 0, next: close + 1 }
  addClause(group, plainWord(parser, raw, slop))
  return next
}

const readGroup = (parser: Parser, group: Group, from: number, end: number, level: number): number => {
  const close = parser.partner.get(from)
  if (close === undefined || close >= end) return from + 1
  if (level < MAX_QUERY_DEPTH) addClause(group, parseRange(parser, from + 1, close, level + 1))
  else group.negations = 0
  return close + 1
}

/** Reads one clause or operator at `from`. Returns the position at which to continue. */
const readNext = (parser: Parser, group: Group, from: number, end: number, level: number): number => {
  const char = parser.text[from]!
  if (char === '(') return readGroup(parser, group, from, end, level)
  if (char === '"') return readPhrase(parser, group, from, end)
  if (char === ')' || isSpace(char)) return from + 1
  if (char !== '+' && char !== '|') return readWord(parser, group, from, end)
  if (group.current === null && group.top !== null) group.current = char === '+' ? 'and' : 'or'
  return from + 1
}

const parseRange = (parser: Parser, from: number, end: number, level: number): Built | null => {
  const group = newGroup()
  let at = from
  while (at < end) {
    if (parser.text[at] === '-') {
      group.negations += 1
      at += 1
      continue
    }
    at = readNext(parser, group, at, end, level)
    group.negations = 0
  }
  return group.top
}

/**
 * Parses the simple query syntax: words (combined with and), `"phrase"`, `"phrase"~2`, `|`, `+`, `-not`, `( )`, `prefix*`,
 * `fuzzy~` or `fuzzy~1`. Never fails: invalid parts are ignored. A query without any word matches nothing, and neither does a
 * query with a NUL or a lone surrogate, because no stored text contains them. Takes time linear in the length; the depth is at
 * most `MAX_QUERY_DEPTH`.
 */
export const parseTextQuery = (q: string): TextNode => {
  if (!q.isWellFormed() || q.includes('\0')) return { kind: 'none' }
  const parser: Parser = { text: q, partner: partners(q), tokensLeft: MAX_QUERY_TOKENS }
  return parseRange(parser, 0, q.length, 0)?.node ?? { kind: 'none' }
}

/** How many words and phrases of a query end in `*` or `~`. */
export const patternCount = (node: TextNode): number => {
  if (node.kind === 'and' || node.kind === 'or') return node.nodes.reduce((sum, one) => sum + patternCount(one), 0)
  if (node.kind === 'not') return patternCount(node.node)
  if (node.kind === 'sequence') return node.parts.length
  if (node.kind === 'phrase') return node.slop > 0 ? 1 : 0
  return node.kind === 'fuzzy' || node.kind === 'prefix' || node.kind === 'beginning' ? 1 : 0
}
