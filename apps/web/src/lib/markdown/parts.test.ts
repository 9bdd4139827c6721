import fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { parseMarkdown } from './parse.ts'
import { markdownParts, tableSizes } from './parts.ts'

/** Stops the clock of the time limit, because on a busy machine any text can exceed the limit. */
beforeEach(() => {
  vi.spyOn(performance, 'now').mockReturnValue(0)
})
afterEach(() => {
  vi.restoreAllMocks()
})

const block = fc.constantFrom(
  'A **bold** paragraph with `code`, $x^2$ and a [link][one].\nIts second line.',
  '# A heading',
  '## A heading\nand its text',
  '# A table\n| a | b |\n|---|---|\n| 1 | 2 |',
  'Another heading\n===',
  '- one\n- two\n\n  more of two\n- three',
  '1. first\n\n2. second\n   - inner',
  '3. a list of its own',
  '> a quote\n> goes on\n\n> and on',
  '```python\ndef f():\n\n    return 1\n\n# no heading\n```',
  '~~~\n```\n\nstill code\n~~~',
  '    indented code\n\n    goes on',
  '| a | b |\n|---|---|\n| 1 | 2 |',
  '$$\n\\sum_n\n\n\\frac1n\n$$',
  '[one]: https://example.org/one',
  '---',
  'x'.repeat(3000),
)
const text = fc
  .array(fc.tuple(block, fc.constantFrom('\n\n', '\n\n\n', '\r\n\r\n')), { minLength: 20, maxLength: 80 })
  .map((blocks) => blocks.map(([words, end]) => words + end).join(''))

test('the parts form the whole text, and rendered separately they give the same output', () => {
  fc.assert(
    fc.property(text, (whole) => {
      const parts = markdownParts(whole, { longest: 200, part: 80, table: tableSizes })
      expect(parts.map((part) => part.text).join('')).toBe(whole)
      expect(parts.map((part) => parseMarkdown(part.text + part.definitions)).join('')).toBe(parseMarkdown(whole))
    }),
    { numRuns: 200 },
  )
})

test('a long text has many parts, while a short text or one with HTML has a single part', () => {
  const paragraphs = 'Some words of a paragraph.\n\n'.repeat(10_000)
  const lengths = markdownParts(paragraphs).map((part) => part.text.length)
  expect(lengths.length).toBeGreaterThan(20)
  expect(Math.max(...lengths)).toBeLessThan(10_000)
  expect(markdownParts('Some words.\n\n'.repeat(100))).toHaveLength(1)
  expect(markdownParts(`<details>\n\n${paragraphs}\n\n</details>`)).toHaveLength(1)
})

const rowsOf = (html: string): readonly string[] => html.match(/<tr>\n<td[\s\S]*?<\/tr>/g) ?? []
const cell = fc.constantFrom('a', '', 'two words', '**bold**', 'a \\| b', '`x`', '$$', '[link][one]')
const table = fc
  .tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 0, max: 60 }))
  .chain(([columns, rows]) =>
    fc
      .array(fc.array(cell, { minLength: columns, maxLength: columns }), { minLength: rows + 1, maxLength: rows + 1 })
      .map(([head, ...rest]) =>
        [head!, Array.from({ length: columns }, () => ':--'), ...rest].map((cells) => `| ${cells.join(' | ')} |`).join('\n'),
      ),
  )
const around = fc.constantFrom('', 'Words.\n\n', '# A heading\n', '- a list\n\n', '```\ncode\n```\n\n')

test('a large table is split between rows into small parts that render the same rows under its heading', () => {
  fc.assert(
    fc.property(around, table, fc.constantFrom('', '\n\nWords after it.', '\nA row without signs'), (before, rows, after) => {
      const whole = `${before}${rows}${after}\n\n[one]: https://example.org/one`
      const parts = markdownParts(whole, { longest: 0, part: 80, table: { whole: 20, piece: 10 } })
      expect(parts.map((part) => part.text).join('')).toBe(whole)
      const pieces = parts.map((part) => rowsOf(parseMarkdown(part.heading + part.text + part.definitions)))
      expect(pieces.flat()).toEqual(rowsOf(parseMarkdown(whole)))
      if (rowsOf(parseMarkdown(whole)).length > 20)
        expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(12)
    }),
  )
})
