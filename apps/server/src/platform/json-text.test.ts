import { expect, it } from 'vitest'
import { closingQuoteAt, isEscapedAt } from './json-text.ts'

it('finds the end of texts with any escapes, as JSON.parse does', () => {
  const texts = ['', 'plain', 'a "quote"', 'a \\ backslash', '\\', '\\"', '\\\\"\\', 'ünï 😀 "', '"'.repeat(5), '\\'.repeat(4)]
  for (const text of texts) {
    const json = JSON.stringify(text)
    const bytes = Buffer.from(`${json}, "next"`)
    expect([text, closingQuoteAt(bytes, 1)]).toEqual([text, Buffer.byteLength(json) - 1])
  }
  const open = Buffer.from('"not closed \\"')
  expect(closingQuoteAt(open, 1)).toBe(open.length)
  expect([isEscapedAt(Buffer.from('\\\\'), 0, 2), isEscapedAt(Buffer.from('\\'), 0, 1)]).toEqual([false, true])
})
