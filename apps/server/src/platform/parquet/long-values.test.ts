import { expect, it } from 'vitest'
import { columnOptions } from './long-values.ts'

it.each([
  ['short texts', ['a', null], { statistics: true }],
  ['a long text', ['a', 'b'.repeat(1001)], { statistics: false }],
  ['an image', ['a', 'b'.repeat(250_001)], { statistics: false, codec: 'UNCOMPRESSED' }],
  ['an image in a list of structs', [[{ bytes: new Uint8Array(250_001) }]], { statistics: false, codec: 'UNCOMPRESSED' }],
])('writes a column with %s', (_, values, options) => {
  expect(columnOptions(values)).toEqual(options)
})
