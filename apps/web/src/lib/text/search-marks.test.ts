import { expect, test as it } from 'vitest'
import { searchMarks } from './search-marks.ts'

const marked = (text: string, query: string) => searchMarks(text, query).map(({ start, end }) => text.slice(start, end))

it.each([
  ['Angela met Angelas in Berlin', 'angela', ['Angela']],
  ['Angela met Angelas in Berlin', 'ang*', ['Angela', 'Angelas']],
  ['quick brown fox, brown quick', '"quick brown"', ['quick brown']],
  ['quick brown fox', 'quick -brown | fox', ['quick', 'fox']],
  ['a (b) c', '(b + c)', ['b', 'c']],
  ['cafe café CAFÉ', 'café', ['café', 'CAFÉ']],
  ['price $5 (a.b)', '(a.b', ['a.b']],
  ['helo hello', 'hello~1', ['hello']],
  ['שלום עולם', 'עולם', ['עולם']],
  ['😀 smile 😀', 'smile', ['smile']],
  ['anything', '* | " ( -', []],
])('in %j the query %j marks %j', (text, query, wanted) => {
  expect(marked(text, query)).toEqual(wanted)
})

it('marks end at a thousand', () => {
  expect(searchMarks('a '.repeat(5000), 'a')).toHaveLength(1000)
})
