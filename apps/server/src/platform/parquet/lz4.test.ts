import { expect, it, test } from 'vitest'
import { unpackLz4 } from './lz4.ts'

const bytes = (...parts: readonly (number | string)[]) =>
  Uint8Array.from(Buffer.concat(parts.map((part) => Buffer.from(typeof part === 'number' ? [part] : part))))

it('decompresses literals and matches, including overlapping matches', () => {
  // 3 literals and 9 bytes copied from 3 bytes before, then 16 literals whose length continues in a second byte.
  const packed = bytes(0x35, 'abc', 3, 0, 0xf0, 1, '0123456789abcdef')
  expect(Buffer.from(unpackLz4(packed, 28)).toString()).toBe('abcabcabcabc0123456789abcdef')
})

test.each([
  ['truncated data', bytes(0x30, 'ab'), 3],
  ['a match before the start of the data', bytes(0x10, 'a', 5, 0, 0x10, 'b'), 6],
  ['data shorter than declared', bytes(0x30, 'abc'), 4],
  ['data longer than declared', bytes(0x3f, 'abc', 3, 0, 255, 255, 255, 0, 0), 10],
])('refuses %s', (_name, packed, length) => {
  expect(() => unpackLz4(packed, length)).toThrow('LZ4')
})
