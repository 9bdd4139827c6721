import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bm25, occurrenceCounter, scoringTerms } from './bm25.ts'
import { evaluate, evaluateNormal, type FieldContent, hasPhrase, indexField, roleToken } from './evaluate.ts'
import { editDistance, fuzzyCollector } from './fuzzy.ts'
import { parseTextQuery } from './query.ts'
import { tokenize } from './tokens.ts'
import { leavesOf, normalise, type TextNode } from './tree.ts'

const fields = (...texts: string[]): FieldContent[] =>
  texts.map((text, field) => ({ field, tokens: tokenize(text), texts: [text] }))
const chat = (...messages: [string, string][]): FieldContent => ({
  field: 9,
  tokens: messages.flatMap(([role, content]) => [roleToken(role), ...tokenize(content)]),
  texts: messages.map(([, content]) => content),
})
const finds = (q: string, record: FieldContent[]) => evaluate(parseTextQuery(q), record.map(indexField))

describe('the meaning of a query', () => {
  const record = fields('Hello big world, hello again', 'other words')
  it.each([
    ['hello world', true],
    ['hello other', true],
    ['hello missing', false],
    ['"hello big"', true],
    ['"big hello"', false],
    ['"hello world"', false],
    ['"hello world"~1', true],
    ['"world hello"~1', true],
    ['"again other"', false],
    ['hello | missing', true],
    ['-missing', true],
    ['-hello', false],
    ['hel*', true],
    ['he*lo', false],
    ['*', true],
    ['-*', false],
    ['', false],
    ['helo~1', true],
    ['ehllo~1', true],
    ['halo~1', false],
    ['halo~2', true],
    ['ot~2', false],
    ['hello -(other | nothing)', false],
    ['nothing | -nothing', true],
  ])('%j: %s', (q, expected) => {
    expect(finds(q, record)).toBe(expected)
  })

  it('compares roles in full and case-sensitively, and ends phrases with the message', () => {
    const record2 = [chat(['System Prompt', 'be kind'], ['user', 'thanks a lot'], ['assistant', 'welcome'])]
    expect(finds('user', record2)).toBe(true)
    expect(finds('User', record2)).toBe(false)
    expect(finds('us*', record2)).toBe(false)
    expect(finds('"System Prompt"', record2)).toBe(true)
    expect(finds('System', record2)).toBe(false)
    expect(finds('"kind thanks"~100', record2)).toBe(false)
    expect(finds('kind thanks', record2)).toBe(true)
    expect(finds('=user', record2)).toBe(false)
  })

  it.each([
    ['a b', 'a x b', 0, false],
    ['a b', 'a x b', 1, true],
    ['a b', 'b a', 1, false],
    ['a b', 'b a', 2, true],
    ['a a', 'a', 9, false],
    ['a a', 'a b a', 0, false],
    ['a a', 'a b a', 1, true],
    ['a b a', 'a b x a', 1, true],
    ['a b c', 'a x b x c', 1, false],
    ['a b c', 'a x b x c', 2, true],
  ])('phrase %j in %j with slop %i: %s', (phrase, text, slop, expected) => {
    expect(hasPhrase(indexField({ field: 0, tokens: tokenize(text), texts: [] }).positions, tokenize(phrase), slop)).toBe(
      expected,
    )
  })

  it('finds a phrase within a slop exactly if some placement of its tokens moves that far', () => {
    const word = fc.constantFrom('a', 'b', 'c')
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 8 }),
        fc.array(word, { minLength: 2, maxLength: 3 }),
        fc.nat(5),
        (text, phrase, slop) => {
          const placements = (i: number, taken: readonly number[]): number[][] =>
            i === phrase.length
              ? [[...taken]]
              : text.flatMap((t, p) => (t === phrase[i] && !taken.includes(p) ? placements(i + 1, [...taken, p]) : []))
          const expected = placements(0, []).some((p) => {
            const moved = p.map((at, i) => at - i)
            return Math.max(...moved) - Math.min(...moved) <= slop
          })
          expect(hasPhrase(indexField({ field: 0, tokens: text, texts: [] }).positions, phrase, slop)).toBe(expected)
        },
      ),
      { numRuns: 3000 },
    )
  })

  it('is preserved in the form without bare negations', () => {
    const leaf = fc.constantFrom<TextNode>(
      { kind: 'token', token: 'a' },
      { kind: 'token', token: 'b' },
      { kind: 'prefix', prefix: 'c' },
      { kind: 'phrase', tokens: ['a', 'b'], slop: 0 },
      { kind: 'all' },
      { kind: 'none' },
    )
    const { tree } = fc.letrec<{ tree: TextNode }>((tie) => ({
      tree: fc.oneof(
        { depthSize: 'medium' },
        leaf,
        fc.record({ kind: fc.constant('not' as const), node: tie('tree') }),
        fc.record({
          kind: fc.constantFrom('and' as const, 'or' as const),
          nodes: fc.array(tie('tree'), { minLength: 1, maxLength: 3 }),
        }),
      ),
    }))
    fc.assert(
      fc.property(tree, fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 4 }), (node, tokens) => {
        const record2 = [indexField({ field: 0, tokens, texts: [] })]
        expect(evaluateNormal(normalise(node), record2)).toBe(evaluate(node, record2))
      }),
      { numRuns: 3000 },
    )
  })
})

describe('large values', () => {
  it('finds a phrase at position 20,000 and a word that occurs 300 times', () => {
    const words = Array.from({ length: 20_000 }, (_, i) => `w${i}`)
    const text = `${words.join(' ')} needle stack ${'again '.repeat(300)}the end`
    expect(finds('"needle stack"', fields(text))).toBe(true)
    expect(finds('"w19999 needle stack again"', fields(text))).toBe(true)
    expect(finds('"again the end"', fields(text))).toBe(true)
    expect(finds('"stack needle"', fields(text))).toBe(false)
  })

  it('finds a term of 40,000 characters by its full text and by a prefix', () => {
    const term = 'ab'.repeat(20_000)
    expect(finds(term, fields(`x ${term} y`))).toBe(true)
    expect(finds(`${term}a`, fields(`x ${term} y`))).toBe(false)
    expect(finds(`${term.slice(0, 100)}*`, fields(`x ${term} y`))).toBe(true)
    expect(finds(`"x ${term} y"`, fields(`x ${term} y`))).toBe(true)
  })

  it('reads a chat of 10 MB in under five seconds', () => {
    const content = 'one two three four five six seven eight nine ten '.repeat(20_000)
    const start = process.threadCpuUsage()
    const record = [chat(...Array.from({ length: 10 }, (_, i): [string, string] => ['user', `${content} mark${i}`]))]
    expect(finds('"ten mark7"', record)).toBe(true)
    expect(finds('"mark7 mark8"~50', record)).toBe(false)
    expect(process.threadCpuUsage(start).user / 1000).toBeLessThan(5000)
  })
})

describe('fuzzy words', () => {
  it.each([
    ['hello', 'helo', 1],
    ['hello', 'ehllo', 1],
    ['hello', 'hallo', 1],
    ['hello', 'help', 2],
    ['👍a', 'a', 1],
    ['abc', 'abc', 0],
    ['abc', 'xyz', Number.POSITIVE_INFINITY],
  ])('%s to %s: %s', (a, b, edits) => {
    expect(editDistance(a, b, 2)).toBe(edits)
  })

  it('match the nearest and most frequent words', () => {
    const collector = fuzzyCollector([{ token: 'aaaa', distance: 1 }])
    for (let i = 0; i < 3000; i++) collector.offer({ token: `aaa${String.fromCodePoint(0x4e00 + i)}`, df: i })
    collector.offer({ token: 'aaaa', df: 1 })
    collector.offer({ token: 'unrelated', df: 9999 })
    const [taken = []] = collector.taken()
    expect(taken).toHaveLength(50)
    expect(taken[0]).toBe('aaaa')
    expect(taken[1]).toBe(`aaa${String.fromCodePoint(0x4e00 + 2999)}`)
  })
})

describe('relevance', () => {
  const score = (q: string, record: FieldContent[]) => {
    const { expr } = normalise(parseTextQuery(q))
    const terms = scoringTerms(expr, (token) => ({ rare: 2, common: 500 })[token] ?? 0)
    return bm25(terms, occurrenceCounter(terms)(record), 1000, 10)
  }

  it('increases with occurrences and rarity and decreases with length', () => {
    expect(score('rare', fields('rare rare x'))).toBeGreaterThan(score('rare', fields('rare x x')))
    expect(score('rare', fields('rare'))).toBeGreaterThan(score('common', fields('common')))
    expect(score('rare', fields('rare'))).toBeGreaterThan(score('rare', fields('rare and much more text')))
    expect(score('rare | common', fields('rare', 'common'))).toBeGreaterThan(score('rare | common', fields('rare', 'x')))
    expect(score('x -rare', fields('rare'))).toBe(0)
    expect(score('ra*', fields('rare rather'))).toBe(1)
  })

  it('returns the leaves that count', () => {
    expect(leavesOf(normalise(parseTextQuery('a -b')).expr, true)).toEqual([
      { kind: 'token', token: 'a' },
      { kind: 'role', role: 'a' },
    ])
  })
})
