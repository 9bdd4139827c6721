import { expect, test } from 'vitest'
import { shownAddress, sourceAddress } from './address.ts'

test.each([
  ['https://annotate.example.org', 'https://annotate.example.org'],
  ['http://10.0.0.1:6900/some/path/', 'http://10.0.0.1:6900/some/path'],
  ['https://example.org/path/api/v1/', 'https://example.org/path'],
  ['https://example.org/?next=/home#top', 'https://example.org'],
  ['example.org:6900', 'https://example.org:6900'],
  ['localhost:6900', 'http://localhost:6900'],
  ['127.0.0.1:6900/api/v1', 'http://127.0.0.1:6900'],
  ['[::1]:6900', 'http://[::1]:6900'],
])('%s resolves to the server at %s', (typed, address) => {
  expect(shownAddress(sourceAddress(typed))).toBe(address)
})

test.each(['', 'ftp://example.org', 'file:///etc/passwd', 'https://', 'two words', 'https://me:secret@example.org'])(
  '%j is rejected without repeating a password',
  (typed) => {
    expect(() => sourceAddress(typed)).toThrow(/is not a server URL|must not contain a username/)
    expect(() => sourceAddress(typed)).not.toThrow(/secret@/)
  },
)
