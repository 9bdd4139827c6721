import { beforeAll, describe, expect, test } from 'vitest'
import { compareTexts, formatAgo, formatCount, formatDateTime, formatList, formatProgress, formatScore } from './format.ts'
import { formatBytes } from './format-bytes.ts'
import { setCurrentLanguage } from './texts.ts'

/** Replaces all whitespace with plain spaces, because languages use different whitespace characters. */
const plain = (text: string): string => text.replaceAll(/\s/g, ' ')

type Expected = {
  readonly count: string
  readonly score: string
  readonly progress: string
  readonly bytes: string
  readonly any: string
  readonly all: string
  readonly date: RegExp
  readonly ago: readonly string[]
}

const expected: { readonly [language: string]: Expected } = {
  en: {
    count: '12,480',
    score: '0.8',
    progress: '33.33%',
    bytes: '12.4 MB',
    any: 'a, b, or c',
    all: 'a, b, and c',
    date: /^May 1, 2026, \d+:00 [AP]M$/,
    ago: ['now', '5 minutes ago', 'yesterday', '2 months ago'],
  },
  de: {
    count: '12.480',
    score: '0,8',
    progress: '33,33 %',
    bytes: '12,4 MB',
    any: 'a, b oder c',
    all: 'a, b und c',
    date: /^01\.05\.2026, \d\d:00$/,
    ago: ['jetzt', 'vor 5 Minuten', 'gestern', 'vor 2 Monaten'],
  },
  es: {
    count: '12.480',
    score: '0,8',
    progress: '33,33 %',
    bytes: '12,4 MB',
    any: 'a, b o c',
    all: 'a, b y c',
    date: /^1 may 2026, \d+:00$/,
    ago: ['ahora', 'hace 5 minutos', 'ayer', 'hace 2 meses'],
  },
}

test('progress shows 100% only when everything is done', () => {
  setCurrentLanguage('en')
  expect([999_999, 1_000_000].map((done) => formatProgress(done / 1_000_000))).toEqual(['99.99%', '100.00%'])
  expect([0, 1, 0.99994, 0.99996].map(formatProgress)).toEqual(['0.00%', '100.00%', '99.99%', '99.99%'])
})

describe.each(Object.entries(expected))('in %s', (language, { count, score, progress, bytes, any, all, date, ago }) => {
  beforeAll(() => setCurrentLanguage(language))

  test('numbers, percentages and lists follow the language', () => {
    const found = [formatCount(12_480), formatScore(0.75), formatProgress(1 / 3), formatBytes(12_400_000)].map(plain)
    expect(found).toEqual([count, score, progress, bytes])
    expect([formatList(['a', 'b', 'c'], false), formatList(['a', 'b', 'c'], true)]).toEqual([any, all])
  })

  test('times are read as UTC and formatted in the language, including relative times', () => {
    expect(plain(formatDateTime('2026-05-01T10:00:00.000000'))).toMatch(date)
    const now = Date.UTC(2026, 4, 1, 10)
    const before = ['2026-05-01T09:59:30', '2026-05-01T09:55:00Z', '2026-04-30T09:00:00.000000', '2026-02-20T10:00:00+00:00']
    expect(before.map((time) => formatAgo(time, now))).toEqual(ago)
  })
})

test("names are sorted by the language's rules, with numbers in numeric order", async () => {
  const sorted = (names: readonly string[]) => names.toSorted(compareTexts)
  setCurrentLanguage('es')
  expect(sorted(['ñu 1', 'o', 'set 10', 'set 9', 'nz'])).toEqual(['nz', 'ñu 1', 'o', 'set 9', 'set 10'])
  setCurrentLanguage('de')
  expect(sorted(['zu', 'ähnlich', 'b'])).toEqual(['ähnlich', 'b', 'zu'])
})
