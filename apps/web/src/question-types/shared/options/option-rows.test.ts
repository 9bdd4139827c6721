import { expect, test } from 'vitest'
import { isSameContent, labelsIn, linesOf, movedRow, nestedRow, parentsIn, withoutRow, withRows } from './option-rows.ts'

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

test('a row moves only within the list', () => {
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

const outline = ['animals', ' dogs', '  poodle', ' cats', 'plants', ' oak'].map((line) => ({
  key: line.trim(),
  text: line.trim(),
  depth: line.length - line.trimStart().length,
}))
const lines = (of: readonly { readonly text: string; readonly depth?: number }[]) =>
  of.map(({ text, depth = 0 }) => ' '.repeat(depth) + text)

test('indented lines become a tree if the labels can form one', () => {
  const pasted = 'Animals\n\tDogs\n\t\tPoodle\n\tCats\nPlants'
  expect(lines(labelsIn(pasted, true))).toEqual(['Animals', ' Dogs', '  Poodle', ' Cats', 'Plants'])
  expect(lines(labelsIn('  a\n      b\n    c\n  d', true))).toEqual(['a', ' b', ' c', 'd'])
  expect(lines(labelsIn(pasted, false))).toEqual(['Animals', 'Dogs', 'Poodle', 'Cats', 'Plants'])
  expect(lines(labelsIn('a\tb\nc', true))).toEqual(['a', 'b', 'c'])
})

test('a label moves between levels with the labels below it', () => {
  expect(lines(nestedRow(outline, 'plants', 1)).slice(4)).toEqual([' plants', '  oak'])
  expect(lines(nestedRow(outline, 'dogs', -1)).slice(0, 4)).toEqual(['animals', 'dogs', ' poodle', ' cats'])
  expect(nestedRow(outline, 'animals', 1)).toBe(outline)
  expect(nestedRow(outline, 'poodle', 1)).toBe(outline)
  expect(nestedRow(outline, 'animals', -1)).toBe(outline)
  expect([...parentsIn(outline)]).toEqual([
    ['dogs', 'animals'],
    ['poodle', 'dogs'],
    ['cats', 'animals'],
    ['oak', 'plants'],
  ])
})

test('a label moves past its neighbors with the labels below it', () => {
  expect(lines(movedRow(outline, 'plants', -1))).toEqual(['plants', ' oak', 'animals', ' dogs', '  poodle', ' cats'])
  expect(lines(movedRow(outline, 'dogs', 1))).toEqual(['animals', ' cats', ' dogs', '  poodle', 'plants', ' oak'])
  expect(movedRow(outline, 'cats', 1)).toBe(outline)
  // Dragged rows get a level that exists at their new place.
  expect(lines(movedRow(outline, 'poodle', 3))).toEqual(['animals', ' dogs', ' cats', 'plants', ' oak', '  poodle'])
  expect(lines(movedRow(outline, 'poodle', -2))).toEqual(['poodle', 'animals', ' dogs', ' cats', 'plants', ' oak'])
  expect(lines(withoutRow(outline, 'dogs'))).toEqual(['animals', ' poodle', ' cats', 'plants', ' oak'])
})
