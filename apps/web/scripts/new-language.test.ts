import { expect, test } from 'vitest'
import { textsFor } from './new-language.ts'

test('a new language gets the English texts in its own plural forms', () => {
  const english = new Map([
    ['title', 'Records'],
    ['nav.left_one', '{{count}} record'],
    ['nav.left_other', '{{count}} records'],
  ])
  expect(textsFor('fr', english)).toEqual({
    title: 'Records',
    nav: { left_one: '{{count}} records', left_many: '{{count}} records', left_other: '{{count}} records' },
  })
  expect(textsFor('ja', english)).toEqual({ title: 'Records', nav: { left_other: '{{count}} records' } })
})
