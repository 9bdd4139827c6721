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
  ['東京は日本の首都であり、', '首都であり', ['首都であり']],
  ['東京は日本の首都であり、', '都で', ['都で']],
  ['東京は日本の首都', '"日本の首都"', ['日本の首都']],
  ['智能与人', '人智', []],
  ['智能与人', '"人智"', []],
  ['カタカナと漢字', 'カタ', []],
  ['漢字カタカナ', '字カタカナ', ['字カタカナ']],
  ['quickbrown fox', '"quick brown"', []],
  ['class of the world, world class', 'world-class', ['world class']],
  ['İstanbul istanbul', 'istanbul', ['İstanbul', 'istanbul']],
  ['istanbul', 'İstanbul', ['istanbul']],
  ['cafe\u0301 e\u0301tude', 'caf\u00e9 \u00e9tude', ['cafe\u0301', 'e\u0301tude']],
  ['caf\u00e9', 'cafe\u0301', ['caf\u00e9']],
  ['in 서울'.normalize('NFD'), '서울', ['서울'.normalize('NFD')]],
  ['👍🏽 👍 ok👨‍👩‍👧🇩🇪🇫🇷', '👍 👨‍👩‍👧 🇫🇷', ['👍', '👨‍👩‍👧', '🇫🇷']],
  ['สวัสดีครับ 12', 'สวัสดีครับ', ['สวัสดีครับ']],
  ['infor\u00adma\u00adtion on infor', 'information', ['infor\u00adma\u00adtion']],
  ['information', 'infor\u00admation', ['information']],
  ['\u200fשלום\u200f עולם', 'שלום', ['שלום\u200f']],
  ["don’t and don't", "don't", ['don’t', "don't"]],
])('in %j the query %j marks %j', (text, query, wanted) => {
  expect(marked(text, query)).toEqual(wanted)
})

it('there are at most a thousand marks', () => {
  expect(searchMarks('a '.repeat(5000), 'a')).toHaveLength(1000)
})

it.each([
  ['Un café, deux CAFÉS', 'cafe*', ['café', 'CAFÉS']],
  ['cafe\u0301 noir', 'café', ['cafe\u0301']],
  ['un cafe', 'café', ['cafe']],
  ['Fußball und Fussball', 'fussball', ['Fußball', 'Fussball']],
  ['か が', 'か', ['か']],
])('in a dataset that ignores accents, %s is marked for %s', (text, query, wanted) => {
  expect(searchMarks(text, query, true).map(({ start, end }) => text.slice(start, end))).toEqual(wanted)
})

it('accents count otherwise', () => {
  expect(searchMarks('Un café', 'cafe')).toEqual([])
})
