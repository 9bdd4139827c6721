import { expect, it } from 'vitest'
import { propertyRanges } from './json-ranges.ts'

it('finds values and items in JSON of any form', () => {
  const value = { a: 'x, "y"}', 'b:': [1, [2, { c: ']' }], { d: null }], e: {}, f: [], g: -1.5e3 }
  for (const text of [JSON.stringify(value), ` ${JSON.stringify(value, null, 2)}\n`]) {
    const ranges = propertyRanges(text)
    const at = ({ start, end }: { readonly start: number; readonly end: number }): unknown => JSON.parse(text.slice(start, end))
    expect(Object.fromEntries([...ranges].map(([name, range]) => [name, at(range)]))).toEqual(value)
    expect(ranges.get('b:')?.items.map(at)).toEqual(value['b:'])
    expect(ranges.get('e')?.items).toEqual([])
  }
  expect(propertyRanges('{}').size).toBe(0)
})
