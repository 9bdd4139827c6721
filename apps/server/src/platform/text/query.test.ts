import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_QUERY_DEPTH, MAX_QUERY_TOKENS, parseTextQuery } from './query.ts'
import type { Expr, TextNode } from './tree.ts'

/** Prints the tree as one line. Every word may also match a chat role, but this alternative isn't printed. */
const print = (node: TextNode | Expr): string => {
  if (node.kind === 'or' && node.nodes[1]?.kind === 'role') return print(node.nodes[0]!)
  if (node.kind === 'and' || node.kind === 'or') return `(${node.nodes.map(print).join(node.kind === 'and' ? ' & ' : ' | ')})`
  if (node.kind === 'not') return `!${print(node.node)}`
  if (node.kind === 'token') return node.token
  if (node.kind === 'prefix') return `${node.prefix}*`
  if (node.kind === 'fuzzy') return `${node.token}~${node.distance}`
  if (node.kind === 'phrase') return `"${node.tokens.join(' ')}"${node.slop > 0 ? `~${node.slop}` : ''}`
  if (node.kind === 'sequence') return `"${node.parts.map(print).join(' ')}"`
  if (node.kind === 'beginning') return `${node.beginning.text}*(${print(node.words)})`
  return node.kind
}

const depthOf = (node: TextNode): number => {
  if (node.kind === 'and' || node.kind === 'or') return 1 + Math.max(...node.nodes.map(depthOf))
  return node.kind === 'not' ? 1 + depthOf(node.node) : 1
}

const tokensOf = (node: TextNode): number => {
  if (node.kind === 'and' || node.kind === 'or') return node.nodes.map(tokensOf).reduce((a, b) => a + b, 0)
  if (node.kind === 'not') return tokensOf(node.node)
  if (node.kind === 'phrase') return node.tokens.length
  return node.kind === 'token' || node.kind === 'prefix' || node.kind === 'fuzzy' ? 1 : 0
}

describe('the simple query syntax', () => {
  it.each([
    ['hello', 'hello'],
    ['Hello World', '(hello & world)'],
    ['hello world again', '(hello & world & again)'],
    ['"hello world"', '"hello world"'],
    ['"hello"', 'hello'],
    ['a | b', '(a | b)'],
    ['a|b|c', '(a | b | c)'],
    ['a | b c', '((a | b) & c)'],
    ['a b | c', '((a & b) | c)'],
    ['a | (b c)', '(a | (b & c))'],
    ['-a', '!a'],
    ['--a', 'a'],
    ['- a', 'a'],
    ['a -b', '(a & !b)'],
    ['a + b', '(a & b)'],
    ['a+b', '(a & b)'],
    ['| a', 'a'],
    ['a |', 'a'],
    ['a | | b', '(a | b)'],
    ['a + | b', '(a & b)'],
    ['-(a | b)', '!(a | b)'],
    ['-"a b"', '!"a b"'],
    ['((a)', 'a'],
    ['a)', 'a'],
    ['() a', 'a'],
    ['(a', 'a'],
    ['hel*', 'hel*'],
    ['HEL*', 'hel*'],
    ['he*lo', '"he lo"'],
    ['*', 'all'],
    ['-*', '!all'],
    ['hel\\*', 'hel'],
    ['foo-ba*', 'foo-ba*((foo & ba*))'],
    ['foo!*', 'foo!*(foo)'],
    ["don'*", "don'*((don | don'*))"],
    ['DON’*', "don'*((don | don'*))"],
    ['1.2.*', '1.2.*((1.2 | 1.2.*))'],
    ['v1.*', 'v1.*((v1 | v1.*))'],
    ['user@*', 'user@*(user)'],
    ['#tag*', '#tag*(tag*)'],
    ['a/b*', 'a/b*((a & b*))'],
    ['東京*', '東京*((東 & 京*))'],
    ['foo baz.*', '(foo & baz.*((baz | baz.*)))'],
    ['foo.!*', 'foo.!*(foo)'],
    ['helo~1', 'helo~1'],
    ['helo~', 'helo~2'],
    ['helo~ world', '(helo~2 & world)'],
    ['helo-wrld~1', '"helo~1 wrld~1"'],
    ['helo~9', 'helo~2'],
    ['helo~x', 'helo'],
    ['~1', '1'],
    ['"a b"~2', '"a b"~2'],
    ['"a b"~', '"a b"'],
    ['"a b"c', '("a b" & c)'],
    ['"a b', '(a & b)'],
    ['a" b', '(a & b)'],
    ['"" a', 'a'],
    ['AND a OR b', '(and & a & or & b)'],
    ['world-class', '"world class"'],
    ["don't 3.14 foo_bar baz.qux", "(don't & 3.14 & foo_bar & baz.qux)"],
    ['漢字', '"漢 字"'],
    ['café', 'café'],
    ['a : b ; ! ? \\', '(a & b)'],
    ['-! a', 'a'],
    ['! ??', 'none'],
    ['', 'none'],
    ['   ', 'none'],
    ['a\0b', 'none'],
    ['a\ud800', 'none'],
    ['\\', 'none'],
    ['a\\', 'a'],
    ['C:\\temp', '"c temp"'],
    ['a\\-b \\-c', '("a b" & c)'],
    ['a\\|b', '"a b"'],
    ['a\\\\*', 'a\\*(a)'],
    ['a\ufeffb', 'ab'],
    ['a\u202fb', 'a\u202fb'],
    ['a\u00a0b', '(a & b)'],
  ])('%j is %s', (q, tree) => {
    expect(print(parseTextQuery(q))).toBe(tree)
  })

  it('keeps the original spelling for chat roles', () => {
    expect(parseTextQuery('Assistant')).toEqual({
      kind: 'or',
      nodes: [
        { kind: 'token', token: 'assistant' },
        { kind: 'role', role: 'Assistant' },
      ],
    })
  })

  it('never fails and stays within its limits', () => {
    const anything = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc
        .array(fc.constantFrom('a', 'b', '"', '(', ')', '|', '+', '-', '~', '1', '*', ' ', '\\', '漢'), { maxLength: 200 })
        .map((c) => c.join('')),
    )
    fc.assert(
      fc.property(anything, (q) => {
        const tree = parseTextQuery(q)
        expect(depthOf(tree)).toBeLessThanOrEqual(MAX_QUERY_DEPTH + 3)
        expect(tokensOf(tree)).toBeLessThanOrEqual(MAX_QUERY_TOKENS)
      }),
      { numRuns: 3000 },
    )
  })

  it.each([
    ['parentheses', '('.repeat(500_000) + 'a' + ')'.repeat(500_000)],
    ['unclosed parentheses', '(a '.repeat(300_000)],
    ['quotes', '"a '.repeat(300_000)],
    ['alternation', 'a|b '.repeat(300_000)],
    ['negations', '-'.repeat(1_000_000) + 'a'],
    ['one word', 'x'.repeat(1_000_000)],
    ['many words', 'word '.repeat(200_000)],
    ['tildes', 'a~'.repeat(400_000)],
  ])('takes linear time: %s', (_, q) => {
    const start = process.threadCpuUsage()
    const tree = parseTextQuery(q)
    expect(process.threadCpuUsage(start).user / 1000).toBeLessThan(3000)
    expect(depthOf(tree)).toBeLessThanOrEqual(MAX_QUERY_DEPTH + 3)
  })
})
