import { describe, expect, test } from 'vitest'
import { type ExcerptPart, excerptOf } from './excerpt.ts'

const span = (start: number, end: number, label = 'a') => ({ start, end, label })
const print = (parts: readonly ExcerptPart[]): string =>
  parts.map((part) => (part.kind === 'gap' ? '…' : part.spans.length > 0 ? `[${part.text}]` : part.text)).join('')

describe('the excerpt of a text with spans', () => {
  test('shows a short text in full', () => {
    expect(print(excerptOf('to London by train', [span(3, 9)], []))).toBe('to [London] by train')
  })
  test('splits overlapping spans', () => {
    const parts = excerptOf('abcdef', [span(0, 4, 'x'), span(2, 6, 'y')], [])
    expect(parts.map((part) => part.kind === 'text' && [part.text, part.spans.map(({ label }) => label).join()])).toEqual([
      ['ab', 'x'],
      ['cd', 'x,y'],
      ['ef', 'y'],
    ])
  })
  test('leaves out what is far from all spans', () => {
    const text = `${'-'.repeat(500)}London${'-'.repeat(500)}Paris`
    const shown = print(excerptOf(text, [span(500, 506)], [span(1006, 1011)]))
    expect(shown).toBe(`…${'-'.repeat(60)}[London]${'-'.repeat(60)}…${'-'.repeat(60)}Paris`)
  })
  test('shows nothing of a long text without spans', () => {
    expect(excerptOf('-'.repeat(1000), [], [])).toEqual([])
  })
})
