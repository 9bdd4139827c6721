import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { placeSpans } from '../model.ts'
import { blocksOf, partAt, segmentsOf, spansByBlock } from './blocks.ts'

const line = fc.oneof(
  fc.string({ maxLength: 50 }),
  fc.constantFrom('\n', '\r\n', '👩‍👩‍👧', 'x'.repeat(3000), 'word '.repeat(6000), 'y'.repeat(30_000)),
)
const text = fc.array(line, { maxLength: 12 }).map((parts) => parts.join(''))

describe('blocks', () => {
  test('form the whole text, are never empty and never split a surrogate pair', () => {
    fc.assert(
      fc.property(text, (whole) => {
        const blocks = blocksOf(whole)
        expect(blocks.map(({ start, end }) => whole.slice(start, end)).join('')).toBe(whole)
        expect(blocks.every(({ start, end }) => end > start)).toBe(true)
        expect(blocks.every(({ start, end }) => whole.slice(start, end).isWellFormed())).toBe(whole.isWellFormed())
      }),
    )
  })

  test('are single lines, or several lines each in a large text', () => {
    expect(blocksOf('one\n\ntwo')).toEqual([
      { start: 0, end: 4 },
      { start: 4, end: 5 },
      { start: 5, end: 8 },
    ])
    const whole = 'one\ntwo\n'.repeat(20_000)
    const blocks = blocksOf(whole)
    expect(blocks.length).toBeGreaterThan(5)
    expect(blocks.length).toBeLessThan(200)
    expect(blocks.every(({ end }) => whole[end - 1] === '\n')).toBe(true)
  })

  test('contain every offset exactly where it is looked up', () => {
    const whole = 'line\n'.repeat(3000)
    const blocks = blocksOf(whole)
    for (const offset of [0, 1, 1999, 2000, 2001, 9000, whole.length - 1]) {
      const { start, end } = blocks[partAt(blocks, offset)]!
      expect(start <= offset && offset < end).toBe(true)
    }
    expect(partAt(blocks, whole.length)).toBe(blocks.length - 1)
  })
})

describe('segments', () => {
  test('form the block, split at every boundary, each with exactly the spans that cover it', () => {
    const anySpan = fc
      .tuple(fc.nat(6000), fc.integer({ min: 1, max: 3000 }))
      .map(([start, length]) => ({ label: 'a', start, end: start + length }))
    fc.assert(
      fc.property(fc.array(anySpan, { maxLength: 10 }), (raw) => {
        const whole = 'some words here\n'.repeat(600)
        const spans = placeSpans(raw.filter((span) => span.end <= whole.length))
        const blocks = blocksOf(whole)
        const inBlock = spansByBlock(blocks, spans)
        const segments = blocks.flatMap((block, index) => segmentsOf(block, inBlock.get(index) ?? []))
        expect(segments.map((segment) => whole.slice(segment.start, segment.end)).join('')).toBe(whole)
        const wrong = segments.filter(
          (segment) =>
            segment.spans.length !== spans.filter((span) => span.start <= segment.start && segment.end <= span.end).length,
        )
        expect(wrong).toEqual([])
      }),
      { numRuns: 50 },
    )
  })
})
