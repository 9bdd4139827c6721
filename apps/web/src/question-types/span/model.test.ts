import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addSpan, placeSpans, relabelSpan, removeSpan, rowCount, spanAfter, spanBefore } from './model.ts'

const span = (label: string, start: number, end: number) => ({ label, start, end })
const anySpan = fc
  .tuple(fc.constantFrom('a', 'b'), fc.nat(30), fc.integer({ min: 1, max: 8 }))
  .map(([label, start, length]) => span(label, start, start + length))
const overlap = (a: { start: number; end: number }, b: { start: number; end: number }) => a.start < b.end && b.start < a.end

describe('spans', () => {
  test('stay if they only touch, and replace those they overlap unless overlap is allowed', () => {
    const spans = [span('a', 0, 5), span('a', 5, 9)]
    expect(addSpan(spans, span('b', 9, 12), false)).toHaveLength(3)
    expect(addSpan(spans, span('b', 4, 6), false)).toEqual([span('b', 4, 6)])
    expect(addSpan(spans, span('b', 4, 6), true)).toHaveLength(3)
    expect(addSpan(spans, span('a', 0, 5), true)).toHaveLength(2)
  })

  test('never share text if overlap is not allowed', () => {
    fc.assert(
      fc.property(fc.array(anySpan, { maxLength: 30 }), (added) => {
        const spans = added.reduce((all, one) => [...addSpan(all, one, false)], [] as ReturnType<typeof span>[])
        for (const [i, a] of spans.entries()) for (const b of spans.slice(i + 1)) expect(overlap(a, b)).toBe(false)
        if (added.length > 0) expect(spans).toContainEqual(added.at(-1))
      }),
    )
  })

  test('can be relabeled, and merge with an identical span', () => {
    const spans = [span('a', 0, 5), span('b', 0, 5)]
    expect(relabelSpan(spans, span('a', 0, 5), 'c')).toEqual([span('b', 0, 5), span('c', 0, 5)])
    expect(relabelSpan(spans, span('a', 0, 5), 'b')).toEqual([span('b', 0, 5)])
    expect(removeSpan(spans, span('b', 0, 5))).toEqual([span('a', 0, 5)])
  })

  test('are visited in text order', () => {
    const spans = [span('b', 6, 9), span('a', 0, 5), span('c', 0, 5)]
    const there = [spanAfter(spans, null, 0)]
    while (there.at(-1)) there.push(spanAfter(spans, there.at(-1)!, 0))
    expect(there.map((one) => one?.label)).toEqual(['a', 'c', 'b', undefined])
    expect(spanBefore(spans, null, 99)?.label).toBe('b')
    expect(spanBefore(spans, span('a', 0, 5), 0)).toBeNull()
    expect(spanAfter(spans, null, 1)?.label).toBe('b')
  })
})

describe('rows', () => {
  test('never contain two spans that share text', () => {
    fc.assert(
      fc.property(fc.array(anySpan, { maxLength: 40 }), (spans) => {
        const placed = placeSpans(spans)
        expect(placed).toHaveLength(spans.length)
        for (const [i, a] of placed.entries()) {
          for (const b of placed.slice(i + 1)) if (a.level === b.level) expect(overlap(a, b)).toBe(false)
        }
      }),
    )
  })

  test('are nested for nested spans', () => {
    const placed = placeSpans([span('inner', 2, 4), span('outer', 0, 10), span('next', 12, 14)])
    expect(placed.map(({ label, level }) => [label, level])).toEqual([
      ['outer', 0],
      ['inner', 1],
      ['next', 0],
    ])
    expect([rowCount(placed), rowCount([])]).toEqual([2, 1])
  })
})
