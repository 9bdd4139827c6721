import { describe, expect, test } from 'vitest'
import { numbered, shownOptions, suggestedFirst } from './option-list.ts'

const options = numbered(
  ['news', 'sports', 'Politics', 'économie', 'art'].map((value) => ({ value, text: value, description: null })),
)
const values = (list: readonly { value: string }[]) => list.map((option) => option.value)
const folded = { visible: 3, isExpanded: false, query: '', isPicked: () => false }

describe('visible options', () => {
  test('are the first ones and the selected ones', () => {
    expect(values(shownOptions(options, folded))).toEqual(['news', 'sports', 'Politics'])
    expect(values(shownOptions(options, { ...folded, isPicked: (value) => value === 'art' }))).toEqual([
      'news',
      'sports',
      'Politics',
      'art',
    ])
    expect(shownOptions(options, { ...folded, isExpanded: true })).toHaveLength(5)
    expect(shownOptions(options, { ...folded, visible: null })).toHaveLength(5)
  })

  test('are never folded if there are only three', () => {
    expect(shownOptions(options.slice(0, 3), { ...folded, visible: 1 })).toHaveLength(3)
  })

  test('are searched among all options, regardless of case and accents', () => {
    expect(values(shownOptions(options, { ...folded, query: ' ECO' }))).toEqual(['économie'])
    expect(values(shownOptions(options, { ...folded, query: 'polit' }))).toEqual(['Politics'])
  })

  test('are sorted by closeness, with an exact match first', () => {
    const languages = numbered(
      ['javascript', 'no java', 'java', 'java ee'].map((value) => ({ value, text: value, description: null })),
    )
    expect(values(shownOptions(languages, { ...folded, query: 'Java' }))).toEqual(['java', 'javascript', 'java ee', 'no java'])
  })

  test('differ by vowel signs in scripts that use them', () => {
    const names = numbered(['काल', 'किला', 'गीत'].map((value) => ({ value, text: value, description: null })))
    expect(values(shownOptions(names, { ...folded, query: 'कि' }))).toEqual(['किला'])
  })

  test('are sorted by score if suggestions go first, and keep their numbers', () => {
    const scores = new Map<string, number | null>([
      ['art', 0.9],
      ['sports', null],
    ])
    const sorted = suggestedFirst(options, (value) => scores.get(value))
    expect(sorted.map(({ value, number }) => `${number} ${value}`)).toEqual([
      '5 art',
      '2 sports',
      '1 news',
      '3 Politics',
      '4 économie',
    ])
  })
})
