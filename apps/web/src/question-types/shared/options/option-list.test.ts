import { describe, expect, test } from 'vitest'
import { numbered, shownOptions, suggestedFirst } from './option-list.ts'

const options = numbered(
  ['news', 'sports', 'Politics', 'économie', 'art'].map((value) => ({ value, text: value, description: null })),
)
const values = (list: readonly { value: string }[]) => list.map((option) => option.value)
const folded = { visible: 3, isUnfolded: false, query: '', isPicked: () => false }

describe('options on the screen', () => {
  test('are the first ones, and those that are picked', () => {
    expect(values(shownOptions(options, folded))).toEqual(['news', 'sports', 'Politics'])
    expect(values(shownOptions(options, { ...folded, isPicked: (value) => value === 'art' }))).toEqual([
      'news',
      'sports',
      'Politics',
      'art',
    ])
    expect(shownOptions(options, { ...folded, isUnfolded: true })).toHaveLength(5)
    expect(shownOptions(options, { ...folded, visible: null })).toHaveLength(5)
  })

  test('never fold when there are only three', () => {
    expect(shownOptions(options.slice(0, 3), { ...folded, visible: 1 })).toHaveLength(3)
  })

  test('are searched in all, case and accents aside', () => {
    expect(values(shownOptions(options, { ...folded, query: ' ECO' }))).toEqual(['économie'])
    expect(values(shownOptions(options, { ...folded, query: 'polit' }))).toEqual(['Politics'])
  })

  test('are found nearest first, so that a name in full is the first one', () => {
    const languages = numbered(
      ['javascript', 'no java', 'java', 'java ee'].map((value) => ({ value, text: value, description: null })),
    )
    expect(values(shownOptions(languages, { ...folded, query: 'Java' }))).toEqual(['java', 'javascript', 'java ee', 'no java'])
  })

  test('are told apart by the vowel signs of scripts that write vowels as signs', () => {
    const names = numbered(['काल', 'किला', 'गीत'].map((value) => ({ value, text: value, description: null })))
    expect(values(shownOptions(names, { ...folded, query: 'कि' }))).toEqual(['किला'])
  })

  test('come by score when suggestions go first, and keep their numbers', () => {
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
