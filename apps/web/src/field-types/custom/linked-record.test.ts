import { expect, test, vi } from 'vitest'

vi.stubGlobal('document', { baseURI: 'http://127.0.0.1/' })
const { storedAddresses, withLinks } = await import('./linked-record.ts')

const address = (digit: string) =>
  `https://postil.example/pre/api/v1/datasets/0190a2b4-0000-7000-8000-000000000001/files/${digit.repeat(64)}.png`
const fields = {
  picture: address('a'),
  page: { images: [{ src: address('b') }, 'https://example.com/x.png'], n: 1, none: null },
  text: `see ${address('c')}`,
}

test('files of ours are found wherever they stand as a whole value, and nothing else is', () => {
  expect(storedAddresses(fields)).toEqual([address('a'), address('b')])
})

test('each gets its link, and the record stays as it is', () => {
  const before = structuredClone(fields)
  const linked = withLinks(fields, new Map([[address('b'), 'http://127.0.0.1/link']]))
  expect(linked).toEqual({
    ...fields,
    page: { ...fields.page, images: [{ src: 'http://127.0.0.1/link' }, 'https://example.com/x.png'] },
  })
  expect(fields).toEqual(before)
})
