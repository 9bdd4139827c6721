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

  test('begin with the name that was typed, among 700 names that differ only by case, accents or signs', () => {
    const stems = [
      'resume',
      'polish',
      'us',
      'c',
      'u',
      'fussball',
      'istanbul',
      'new york',
      'e',
      'o',
      'naive',
      'strasse',
      'art',
      'x',
      'music',
      'one',
      'ascii',
      'cousin',
    ]
    const accented = { e: 'é', u: 'ü', o: 'ø', i: 'ï', s: 'ś', c: 'ç', a: 'å', n: 'ñ', x: 'x̂' }
    const variantsOf = (stem: string): readonly string[] => {
      const first = stem.slice(0, 1)
      const accents = stem.replace(/[euoiscanx]/g, (letter) => accented[letter as keyof typeof accented])
      const titled = `${first.toUpperCase()}${stem.slice(1)}`
      const bare = [stem, stem.toUpperCase(), titled, accents, accents.toUpperCase(), accents.normalize('NFD')]
      const special = [stem.replaceAll('ss', 'ß'), stem.replaceAll('i', 'İ'), stem.replaceAll('i', 'ı')]
      const all = [...bare, ...special].flatMap((name) => [
        name,
        `${name}/a`,
        `${name}, b`,
        `${name} 👍`,
        `${name} 👍🏽`,
        `a ${name}`,
      ])
      return [...all, `${stem}.`, `(${stem})`, `${stem}❤`, `${stem}❤️`]
    }
    const names = [...new Set(stems.flatMap(variantsOf))].slice(0, 700)
    expect(names).toHaveLength(700)
    const labels = numbered(names.map((value) => ({ value, text: value, description: null })))
    const found = names.map((query) => shownOptions(labels, { ...folded, query })[0]?.value)
    expect(found).toEqual(names)
  })

  test('begin with the same letters in another case before those with other accents', () => {
    const labels = numbered(
      ['Résumé', 'RESUME', 'Fußball', 'İstanbul', 'café', 'CAFE bar'].map((value) => ({ value, text: value, description: null })),
    )
    const found = (query: string) => values(shownOptions(labels, { ...folded, query }))
    expect(found('resume')).toEqual(['RESUME', 'Résumé'])
    expect(found('résumé')).toEqual(['Résumé', 'RESUME'])
    expect(found('fussball')).toEqual(['Fußball'])
    expect(found('istanbul')).toEqual(['İstanbul'])
    expect(found('caf')).toEqual(['café', 'CAFE bar'])
    expect(found('cafe')).toEqual(['café', 'CAFE bar'])
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
