import { describe, expect, test } from 'vitest'
import { maxShownTerms, shownTerms } from './shown-terms.ts'

const options = ['Web', 'Book', 'Café', 'web page'].map((text) => ({ value: text.toLowerCase(), text, count: 2 }))
const texts = (first: readonly string[], words: string) => shownTerms(options, first, words).options.map(({ text }) => text)

describe('filter values', () => {
  test('keep their order', () => {
    expect(texts([], '')).toEqual(['Web', 'Book', 'Café', 'web page'])
  })

  test('start with the selected values, even if no record has them', () => {
    expect(texts(['café', 'gone'], '')).toEqual(['Café', 'gone', 'Web', 'Book', 'web page'])
    expect(shownTerms(options, ['café'], '').options[0]?.count).toBe(2)
  })

  test('are searched regardless of case and accents', () => {
    expect(texts([], ' WEB')).toEqual(['Web', 'web page'])
    expect(texts([], 'cafe')).toEqual(['Café'])
    expect(texts(['gone'], 'web')).toEqual(['Web', 'web page'])
    expect(texts([], 'nothing')).toEqual([])
  })

  test('are limited in number and report how many are hidden', () => {
    const many = Array.from({ length: 250 }, (_, index) => ({ value: String(index), text: `Value ${index}` }))
    const { options: shown, more } = shownTerms(many, [], '')
    expect([shown.length, more]).toEqual([maxShownTerms, 150])
    expect(shownTerms(many, [], 'value 24').more).toBe(0)
  })
})
