import { expect, test } from 'vitest'
import { numbered } from '../options/option-list.ts'
import { foundRows, initiallyOpen, openRows, parentIndex, treeRows } from './tree-rows.ts'

const parents = { animals: null, plants: null, dogs: 'animals', poodle: 'dogs', cats: 'animals', oak: 'plants' }
const options = Object.entries(parents).map(([value, parent]) => ({
  value,
  text: value.toUpperCase(),
  description: null,
  ...(parent !== null && { parent }),
}))
const rows = treeRows(numbered(options), options)
const valuesOf = (found: typeof rows) => found.map(({ option }) => option.value)

test('rows are in the order of the tree and have paths', () => {
  expect(rows.map(({ option, depth, isBranch }) => [option.value, option.number, depth, isBranch])).toEqual([
    ['animals', 1, 0, true],
    ['dogs', 3, 1, true],
    ['poodle', 4, 2, false],
    ['cats', 5, 1, false],
    ['plants', 2, 0, true],
    ['oak', 6, 1, false],
  ])
  expect(rows[2]?.path).toBe('ANIMALS › DOGS › POODLE')
  expect([...initiallyOpen(rows)]).toEqual(['animals', 'dogs', 'plants'])
  expect(parentIndex(rows, 3)).toBe(0)
  expect(parentIndex(rows, 4)).toBe(-1)
})

test('a label that is not offered stays part of the paths', () => {
  const offered = treeRows(numbered(options.filter(({ value }) => value !== 'dogs')), options)
  expect(offered[1]).toMatchObject({ option: { value: 'poodle' }, depth: 1, path: 'ANIMALS › DOGS › POODLE' })
})

test('folded branches show only picked labels', () => {
  expect(valuesOf(openRows(rows, new Set(), () => false))).toEqual(['animals', 'plants'])
  expect(valuesOf(openRows(rows, new Set(['animals']), () => false))).toEqual(['animals', 'dogs', 'cats', 'plants'])
  expect(valuesOf(openRows(rows, new Set(['dogs']), (value) => value === 'poodle'))).toEqual(['animals', 'poodle', 'plants'])
})

test('a search finds names before paths', () => {
  expect(valuesOf(foundRows(rows, 'dog'))).toEqual(['dogs', 'poodle'])
  expect(valuesOf(foundRows(rows, 'animals › c'))).toEqual(['cats'])
})
