import { expect, test } from 'vitest'
import { labelPaths, maxTreeDepth, treeFault, treeOrder } from './label-tree.ts'

const animals = [
  { value: 'poodle', parent: 'dogs' },
  { value: 'animals' },
  { value: 'plants' },
  { value: 'cats', parent: 'animals' },
  { value: 'dogs', parent: 'animals' },
]
const chain = (length: number) => Array.from({ length }, (_, i) => ({ value: `${i}`, ...(i > 0 && { parent: `${i - 1}` }) }))

test('paths lead from the top to the label', () => {
  const paths = labelPaths(animals)
  expect(paths.get('poodle')).toEqual(['animals', 'dogs', 'poodle'])
  expect(paths.get('plants')).toEqual(['plants'])
  expect(
    labelPaths([
      { value: 'a', parent: 'b' },
      { value: 'b', parent: 'a' },
    ]).get('a'),
  ).toEqual(['b', 'a'])
})

test('faults name the options', () => {
  expect(treeFault(animals)).toBeNull()
  expect(treeFault(chain(maxTreeDepth))).toBeNull()
  expect(treeFault(chain(maxTreeDepth + 1))).toBe("The option '6' is more than 6 levels deep, counted from the top of the tree")
  expect(treeFault([{ value: 'a', parent: 'a' }])).toBe("The option 'a' is its own parent")
})

test('the order of a tree puts labels below their parents', () => {
  const printed = (nodes: ReturnType<typeof treeOrder<(typeof animals)[number]>>) =>
    nodes.map(({ option, depth }) => `${'-'.repeat(depth)}${option.value}`)
  expect(printed(treeOrder(animals))).toEqual(['animals', '-cats', '-dogs', '--poodle', 'plants'])
  const offered = animals.filter(({ value }) => value !== 'dogs')
  expect(printed(treeOrder(offered, animals))).toEqual(['animals', '-poodle', '-cats', 'plants'])
})
