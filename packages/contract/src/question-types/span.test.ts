import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AnswerValue } from '#answer-value.ts'
import { toAnswerValue } from '#answer-value.ts'
import { codePointLength, isAtLeast, isAtMost } from '#wire/code-points.ts'
import { spanRules } from './span.rules.ts'
import type { SpanSettings } from './span.ts'

const settings = (allow_overlapping: boolean): SpanSettings => ({
  type: 'span',
  field: 'text',
  options: [{ value: 'a', text: 'A', description: null }],
  visible_options: null,
  allow_overlapping,
  allow_character_annotation: true,
})
const check = (value: AnswerValue, text: string, overlap = false) =>
  spanRules.check(value, { settings: settings(overlap), submitted: true, fields: { text } })

const anyText = fc.string({ unit: 'binary' })
const spans = fc.array(
  fc
    .record({ start: fc.nat(30), length: fc.integer({ min: 1, max: 10 }) })
    .map(({ start, length }) => ({ label: 'a', start, end: start + length })),
  { maxLength: 12 },
)

test('lengths are counted in code points', () => {
  fc.assert(
    fc.property(anyText, fc.nat(20), (text, limit) => {
      const length = Array.from(text).length
      expect(codePointLength(text)).toBe(length)
      expect(isAtMost(text, limit)).toBe(length <= limit)
      expect(isAtLeast(text, limit)).toBe(length >= limit)
    }),
  )
})

test('spans are valid if and only if they fit into the text and share no code point', () => {
  fc.assert(
    fc.property(anyText, spans, (text, list) => {
      const length = Array.from(text).length
      const cover = new Map<number, number>()
      for (const { start, end } of list) for (let at = start; at < end; at += 1) cover.set(at, (cover.get(at) ?? 0) + 1)
      const fits = list.every(({ start, end }) => start < length && end <= length)
      const apart = [...cover.values()].every((count) => count === 1)
      expect(check(list, text) === null).toBe(fits && apart)
      expect(check(list, text, true) === null).toBe(fits)
    }),
    { numRuns: 500 },
  )
})

test('a record without a text accepts an empty list of spans and refuses a span', () => {
  for (const fields of [{}, { text: null }, { text: '' }]) {
    const checked = (value: AnswerValue) => spanRules.check(value, { settings: settings(false), submitted: true, fields })
    expect(checked([])).toBeNull()
    expect(checked([{ label: 'a', start: 0, end: 1 }])).not.toBeNull()
  }
})

test('10,000 spans in a text of a million characters are accepted, one more is refused', () => {
  const text = '😀a'.repeat(500_000)
  const list = Array.from({ length: 10_000 }, (_, i) => ({ label: 'a', start: i * 100, end: i * 100 + 100 })).reverse()
  expect(check(list, text)).toBeNull()
  expect(toAnswerValue(list)).toEqual(list)
  expect(toAnswerValue([...list, list[0]])).toMatchObject({ type: 'too_long' })
})
