import type { TraceStep } from '@postil/contract/trace.ts'
import { expect, test } from 'vitest'
import { stepsAbove, treeOf, unfoldedRows } from './tree.ts'

const step = (id: string, parent?: string, second?: number): TraceStep => ({
  id,
  kind: 'other',
  name: id,
  ...(parent !== undefined && { parent }),
  ...(second !== undefined && { start: `2026-01-01T00:00:0${second}.000Z` }),
})
const shown = (steps: readonly TraceStep[], folded: readonly number[] = []) =>
  unfoldedRows(treeOf(steps), new Set(folded)).map(({ step: { id }, depth }) => `${'-'.repeat(depth)}${id}`)

test('steps are below their parents, in the order of their starts', () => {
  const steps = [step('c', 'a', 3), step('a', undefined, 1), step('b', 'a', 2), step('d', 'c', 4), step('z', undefined, 0)]
  expect(shown(steps)).toEqual(['z', 'a', '-b', '-c', '--d'])
  expect(
    treeOf(steps).map(({ index, parent, place, siblings, hasChildren }) => [index, parent, place, siblings, hasChildren]),
  ).toEqual([
    [4, null, 1, 2, false],
    [1, null, 2, 2, true],
    [2, 1, 1, 2, false],
    [0, 1, 2, 2, true],
    [3, 0, 1, 1, false],
  ])
})

test('a step without a time keeps its place, and one whose parent is missing is a root', () => {
  expect(shown([step('a'), step('b', 'missing'), step('c', 'a'), step('d', 'a')])).toEqual(['a', '-c', '-d', 'b'])
})

test('steps that contain each other or themselves are shown once', () => {
  expect(shown([step('a', 'c'), step('b', 'a'), step('c', 'b'), step('d', 'd'), step('e', 'b')])).toEqual([
    'd',
    'a',
    '-b',
    '--c',
    '--e',
  ])
})

test('folded steps hide all steps below them', () => {
  const steps = [step('a'), step('b', 'a'), step('c', 'b'), step('d', 'a'), step('e')]
  expect(shown(steps, [1])).toEqual(['a', '-b', '-d', 'e'])
  expect(shown(steps, [0, 1])).toEqual(['a', 'e'])
  expect(stepsAbove(new Map(treeOf(steps).map(({ index, parent }) => [index, parent])), 2)).toEqual([1, 0])
})

test('five thousand nested steps are no problem', () => {
  const steps = Array.from({ length: 5000 }, (_, i) => step(String(i), i === 0 ? undefined : String(i - 1)))
  expect(treeOf(steps).at(-1)?.depth).toBe(4999)
})
