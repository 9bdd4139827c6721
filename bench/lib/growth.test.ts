import { expect, it } from 'vitest'
import { exponent, growthOf } from './growth.ts'

it('the growth exponent is 0 for constant values, 1 for linear growth and 0.5 for square-root growth', () => {
  expect(exponent([10_000, 3], [1_000_000, 3])).toBeCloseTo(0)
  expect(exponent([10_000, 3], [1_000_000, 300])).toBeCloseTo(1)
  expect(exponent([10_000, 3], [1_000_000, 30])).toBeCloseTo(0.5)
})

it('growth is reported for every line measured at two sizes, with the target for constant ones', () => {
  const line = { engine: 'sqlite', unit: 'ms', value: 1 }
  const table = growthOf([
    { ...line, records: 100, what: 'submit', p95: 2 },
    { ...line, records: 10_000, what: 'submit', p95: 20 },
    { ...line, records: 100, what: 'alone', p95: 2 },
    { ...line, records: 100, what: 'once', value: 1 },
    { ...line, records: 10_000, what: 'once', value: 10 },
    { ...line, records: 100, what: 'rate for 20 s', unit: 'records/s', value: 1000 },
    { ...line, records: 10_000, what: 'rate for 5 s', unit: 'records/s', value: 10 },
    { ...line, records: 100, what: '16 annotators: memory', unit: 'MiB', value: 300 },
    { ...line, records: 10_000, what: '16 annotators: memory', unit: 'MiB', value: 330 },
  ])
  expect(table.split('\n').slice(2)).toEqual([
    '| sqlite | submit | 100 to 10000 | 0.50 | < 0.1 | NO |',
    '| sqlite | once | 100 to 10000 | 0.50 |  |  |',
    '| sqlite | rate | 100 to 10000 | 1.00 |  |  |',
    '| sqlite | 16 annotators: memory | 100 to 10000 | 0.02 | < 0.1 | yes |',
  ])
  expect(growthOf([])).toBe('')
})
