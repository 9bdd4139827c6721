import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evaluate, indexField } from './evaluate.ts'
import { parseTextQuery } from './query.ts'
import { blank, escaped, operator, piece, text, writtenWords } from './testing/texts.ts'
import { fold, tokenize } from './tokens.ts'

const fieldOf = (text: string, field = 0) => indexField({ field, tokens: tokenize(text), texts: [text] })
const finds = (q: string, ...texts: string[]) => evaluate(parseTextQuery(q), texts.map(fieldOf))

describe('a text', () => {
  it('finds itself by each of its written words', () => {
    fc.assert(
      fc.property(text, (one) => {
        for (const word of writtenWords(one)) {
          expect(finds(escaped(word), one), `${JSON.stringify(word)} escaped`).toBe(true)
          if (!operator.test(word)) expect(finds(word, one), JSON.stringify(word)).toBe(true)
        }
      }),
      { numRuns: 20_000 },
    )
  })

  it('finds itself by each of its tokens and by the whole text as a phrase', () => {
    fc.assert(
      fc.property(text, (one) => {
        for (const token of tokenize(one)) expect(finds(token, one), JSON.stringify(token)).toBe(true)
        if (tokenize(one).length > 0) expect(finds(`"${one.replace(/["\\]/g, '\\$&')}"`, one)).toBe(true)
      }),
      { numRuns: 5000 },
    )
  })

  it('finds itself by every beginning of its written words that ends in a letter or digit', () => {
    fc.assert(
      fc.property(text, fc.nat(8), (one, length) => {
        for (const word of writtenWords(fold(one))) {
          const beginning = word.slice(0, length)
          if (!/[a-z0-9東京]$/u.test(beginning)) continue
          expect(finds(`${escaped(beginning)}*`, one), JSON.stringify(beginning)).toBe(true)
        }
      }),
      { numRuns: 10_000 },
    )
  })

  it.each(['a\ufeffb', '#️⃣', '*️⃣', '1️⃣', 'a\u202fb', 'C:\\temp', 'İstanbul', 'foo\u200bbar'])('finds itself: %j', (one) => {
    expect(finds(one, one)).toBe(true)
  })
})

describe('the parts of one written word', () => {
  it.each([
    ['東京都', ['東', '京都']],
    ['user@example.com', ['user', 'example.com']],
    ['hello-world', ['hello', 'world']],
    ['hello-world', ['world hello']],
    ['hello-wrld~1', ['hello', 'world']],
    ['hello-wo*', ['hello', 'world']],
  ])('of %s are not found in %j', (q, texts) => {
    expect(finds(q, ...texts)).toBe(false)
  })

  it('never match across fields', () => {
    fc.assert(
      fc.property(text, fc.nat(14), fc.constantFrom('', '*', '~', '~1'), (one, at, operation) => {
        for (const word of writtenWords(one)) {
          const q = escaped(word) + operation
          const [before, after] = [word.slice(0, at), word.slice(at)]
          if (!before.isWellFormed() || !after.isWellFormed()) continue
          expect(finds(q, before, after), `${JSON.stringify(q)} in ${JSON.stringify([before, after])}`).toBe(
            finds(q, before) || finds(q, after),
          )
        }
      }),
      { numRuns: 10_000 },
    )
  })
})

describe('a prefix', () => {
  it.each([
    ['3.*', ['3.14', 'x 3.x', '1 (3.5)'], ['3', '3 apples', 'room 3. Then', '33.1', '3,1']],
    ['user@*', ['user@example.com', 'To: <user@x>'], ['user', 'the user @home', 'superuser@x', 'user-1', 'user@']],
    ['#tag*', ['#tag', '(#tagged)'], ['tag', 'a#tag', 'tagged', '# tag']],
    ['a/b*', ['a/b', 'x a/bc', 'https://a/b/c'], ['a b', 'b/a', 'a/c', 'ca/b', 'a-b']],
    ['v1.*', ['v1.2', 'v1.beta'], ['v1', 'v12', 'in v1. Then', 'v1-2']],
    ["don'*", ["don't", 'DON’T'], ['don', 'donate', "don' "]],
    ['東京*', ['東京都'], ['東', '京東', '東 京']],
  ])('%s finds only words that begin so', (q, found, others) => {
    expect(found.filter((one) => !finds(q, one))).toEqual([])
    expect(others.filter((one) => finds(q, one))).toEqual([])
  })

  it('finds only words that begin so, whatever it contains', () => {
    fc.assert(
      fc.property(text, fc.oneof(text, piece), (one, beginning) => {
        const base = beginning.split(blank).join('')
        if (tokenize(base).length === 0 || /\*$/.test(fold(base))) return
        if (finds(`${escaped(base)}*`, one)) expect(fold(one)).toContain(fold(base))
      }),
      { numRuns: 10_000 },
    )
  })
})
