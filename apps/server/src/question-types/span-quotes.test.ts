import type { Span } from '@postil/contract/answer-value.ts'
import { codePointLength } from '@postil/contract/wire/code-points.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { placeQuotes, quoteSpans } from './span-quotes.ts'

const quotedBy = (text: string, spans: readonly Span[]) =>
  spans.map(({ start, end }) => Array.from(text).slice(start, end).join(''))

describe('quotes', () => {
  it.each([
    ['emoji', 'a 👩‍👩‍👧 family 👩‍👩‍👧 here', '👩‍👩‍👧', 2],
    ['combining marks', 'un cafe\u0301, un cafe, un cafe\u0301', 'cafe\u0301', 2],
    ['right to left', 'שלום עולם שלום', 'שלום', 2],
    ['overlapping repetitions', 'aaaa', 'aa', 3],
    ['a flag', '🇩🇪🇫🇷🇩🇪', '🇩🇪', 2],
  ])('of %s are found', (_, text, quote, occurrence) => {
    const { spans, unmatched } = placeQuotes([{ quote, label: 'x', occurrence }], text, true)
    expect([quotedBy(text, spans), unmatched]).toEqual([[quote], 0])
    expect(quoteSpans(spans, text)).toEqual([{ quote, label: 'x', occurrence }])
  })

  it('mean whole characters if there are any', () => {
    const text = 'cafe\u0301 cafe'
    expect(placeQuotes([{ quote: 'cafe', label: 'x', occurrence: 1 }], text, false).spans).toEqual([
      { label: 'x', start: 6, end: 10 },
    ])
    expect(placeQuotes([{ quote: 'cafe', label: 'x', occurrence: 1 }], 'cafe\u0301', false).spans).toEqual([
      { label: 'x', start: 0, end: 4 },
    ])
  })

  it('that do not occur, are empty or overlap are counted, and repeated ones are one', () => {
    const at = (quote: string, occurrence = 1) => ({ quote, label: 'x', occurrence })
    const quotes = [at('Rome'), at('Paris'), at(''), at('Rome', 2), at('Rome'), at('in Rome')]
    expect(placeQuotes(quotes, 'Ada in Rome', false)).toEqual({
      spans: [{ label: 'x', start: 7, end: 11 }],
      from: [0],
      unmatched: 4,
    })
    expect(placeQuotes(quotes, 'Ada in Rome', true)).toMatchObject({ from: [0, 5], unmatched: 3 })
    expect(placeQuotes(quotes, null, true).unmatched).toBe(6)
  })

  it('stay within one message of a conversation', () => {
    const chat = [
      { role: 'user', content: 'Where is Ada' },
      { role: 'assistant', content: 'Ada is in Rome' },
    ]
    const of = (quote: string, occurrence: number) => placeQuotes([{ quote, label: 'x', occurrence }], chat, false)
    expect(of('Ada', 2).spans).toEqual([{ label: 'x', start: 13, end: 16 }])
    expect(of('Ada\nAda', 1).unmatched).toBe(1)
  })

  it('lead back to the same code points for any text and spans of whole characters', () => {
    const piece = fc.constantFrom(
      'a',
      'b',
      ' ',
      'é',
      'e\u0301',
      '😀',
      '👩‍👩‍👧',
      'שלום',
      'عربي',
      '🇩🇪',
      'ab',
      '\n',
      'क्षि',
      '\u200d',
    )
    const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 12 }), fc.array(fc.nat(), { maxLength: 12 }), (pieces, cuts) => {
        const text = pieces.join('')
        const ends: number[] = [0]
        for (const { segment } of segmenter.segment(text)) ends.push((ends.at(-1) ?? 0) + codePointLength(segment))
        const places = [...new Set(cuts.map((cut) => ends[cut % ends.length] ?? 0))].sort((a, b) => a - b)
        const spans = places.slice(1).map((end, i): Span => ({ label: 'x', start: places[i] ?? 0, end }))
        const quotes = quoteSpans(spans, text)
        expect(quotes).toHaveLength(spans.length)
        expect(placeQuotes(quotes, text, false)).toEqual({ spans, from: spans.map((_, i) => i), unmatched: 0 })
      }),
    )
  })
})
