import { expect, test } from 'vitest'
import { isSameContent, linesOf, movedRow, withRows } from './option-rows.ts'

const rows = ['a', 'b', ''].map((text, i) => ({ key: String(i), text }))
const added = [
  { key: 'x', text: 'x' },
  { key: 'y', text: 'y' },
]
const texts = (of: readonly { readonly text: string }[]) => of.map(({ text }) => text)

test('pasted lines and cells are labels, and a label may contain commas', () => {
  expect(linesOf('a, b\r\n\n  c \nd\te\n')).toEqual(['a, b', 'c', 'd', 'e'])
  expect(linesOf(' \n')).toEqual([])
})

test('rows are added after a row, in place of an empty one, or at the end', () => {
  expect(texts(withRows(rows, '0', added))).toEqual(['a', 'x', 'y', 'b', ''])
  expect(texts(withRows(rows, '2', added))).toEqual(['a', 'b', 'x', 'y'])
  expect(texts(withRows(rows, null, added))).toEqual(['a', 'b', '', 'x', 'y'])
})

test('a row moves within the list only', () => {
  expect(texts(movedRow(rows, '0', 1))).toEqual(['b', 'a', ''])
  expect(movedRow(rows, '0', -1)).toBe(rows)
  expect(movedRow(rows, '2', 1)).toBe(rows)
  expect(movedRow(rows, 'none', 1)).toBe(rows)
})

test('rows are compared by their content', () => {
  expect(isSameContent({ key: 'a', text: 'b' }, { key: 'a', text: 'b' })).toBe(true)
  expect(isSameContent({ key: 'a', text: 'b' }, { key: 'a', text: 'c' })).toBe(false)
  expect(isSameContent({ key: 'a', text: 'b', hue: 1 }, { key: 'a', text: 'b', hue: 2 })).toBe(false)
})
