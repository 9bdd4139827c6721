import { expect, test } from 'vitest'
import type { ValueFilter } from '#question-types/value-filter.ts'
import { counted, withBins } from './counted.ts'

const labels: ValueFilter = { by: 'terms', combined: false, options: ['a', 'b'].map((value) => ({ value, text: value })) }
const stars: ValueFilter = { by: 'range', min: 1, max: 3, whole: true }

test('list values keep their order and get their counts once these are known', () => {
  expect(counted(labels, undefined)).toEqual({ filter: labels })
  expect(counted(labels, null)).toEqual({ filter: labels })
  const { filter } = counted(labels, [{ value: 'b', count: 7 }])
  expect(filter.by === 'terms' && filter.options.map(({ value, count }) => [value, count])).toEqual([
    ['a', 0],
    ['b', 7],
  ])
})

test('numbers get one bar each, space for bars while loading, and no bars if counts are unavailable', () => {
  expect(counted(stars, undefined)).toEqual({ filter: stars, bins: null })
  expect(counted(stars, null)).toEqual({ filter: stars })
  expect(counted(stars, [])).toEqual({ filter: stars })
  expect(counted(stars, [{ value: 2, count: 4 }]).bins).toEqual([
    { from: 1, to: 1, count: 0 },
    { from: 2, to: 2, count: 4 },
    { from: 3, to: 3, count: 0 },
  ])
})

test('server-side bins are shown if they are loaded and not empty', () => {
  const bins = [{ from: 0, to: 1, count: 2 }]
  expect([undefined, null, [], bins].map((one) => withBins(stars, one).bins)).toEqual([null, undefined, undefined, bins])
})
