import { expect, test, vi } from 'vitest'

vi.stubGlobal('document', { baseURI: 'http://127.0.0.1/' })
const { imageOrigins, storedFileUrls, replaceFileLinks } = await import('./linked-fields.ts')

const address = (digit: string) =>
  `https://postil.example/pre/api/v1/datasets/0190a2b4-0000-7000-8000-000000000001/files/${digit.repeat(64)}.png`
const fields = {
  picture: address('a'),
  page: { images: [{ src: address('b') }, 'https://example.com/x.png'], n: 1, none: null },
  text: `see ${address('c')}`,
}

test('file URLs of this server are found only where they are the whole value', () => {
  expect(storedFileUrls(fields)).toEqual([address('a'), address('b')])
})

test('each file URL is replaced by its link, and the record stays unchanged', () => {
  const before = structuredClone(fields)
  const linked = replaceFileLinks(fields, new Map([[address('b'), 'http://127.0.0.1/link']]))
  expect(linked).toEqual({
    ...fields,
    page: { ...fields.page, images: [{ src: 'http://127.0.0.1/link' }, 'https://example.com/x.png'] },
  })
  expect(fields).toEqual(before)
})

test('a template may load images only from origins that are the whole value', () => {
  expect(imageOrigins(fields)).toEqual(['https://postil.example', 'https://example.com'])
  expect(imageOrigins({ text: 'see https://evil.example/x', n: 1, none: null, list: ['HTTP://a.example:81/b?c'] })).toEqual([
    'http://a.example:81',
  ])
})
