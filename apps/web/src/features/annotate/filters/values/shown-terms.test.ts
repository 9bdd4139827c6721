import { describe, expect, test } from 'vitest'
import { mostShown, shownTerms } from './shown-terms.ts'

const options = ['Web', 'Book', 'Café', 'web page'].map((text) => ({ value: text.toLowerCase(), text, count: 2 }))
const texts = (first: readonly string[], words: string) => shownTerms(options, first, words).options.map(({ text }) => text)

describe('values to choose from', () => {
  test('keep their order', () => {
    expect(texts([], '')).toEqual(['Web', 'Book', 'Café', 'web page'])
  })

  test('begin with what was picked, also where no record has it', () => {
    expect(texts(['café', 'gone'], '')).toEqual(['Café', 'gone', 'Web', 'Book', 'web page'])
    expect(shownTerms(options, ['café'], '').options[0]?.count).toBe(2)
  })

  test('are found by their letters, case and accents aside', () => {
    expect(texts([], ' WEB')).toEqual(['Web', 'web page'])
    expect(texts([], 'cafe')).toEqual(['Café'])
    expect(texts(['gone'], 'web')).toEqual(['Web', 'web page'])
    expect(texts([], 'nothing')).toEqual([])
  })

  test('are no more than the screen can take, and say how many are left out', () => {
    const many = Array.from({ length: 250 }, (_, index) => ({ value: String(index), text: `Value ${index}` }))
    const { options: shown, more } = shownTerms(many, [], '')
    expect([shown.length, more]).toEqual([mostShown, 150])
    expect(shownTerms(many, [], 'value 24').more).toBe(0)
  })
})
