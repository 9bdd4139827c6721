import { describe, expect, test } from 'vitest'
import { mathLetters } from './math-letters.ts'

describe('math letters', () => {
  test.each([
    ['double-struck', 'RCNQZAz09', 'ℝℂℕℚℤ𝔸𝕫𝟘𝟡'],
    ['script', 'LFAao', 'ℒℱ𝒜𝒶ℴ'],
    ['fraktur', 'gCZA', '𝔤ℭℨ𝔄'],
    ['bold', 'xA1αΩ', '𝐱𝐀𝟏𝛂𝛀'],
    ['bold-italic', 'xα1', '𝒙𝜶1'],
    ['sans-serif', 'A1', '𝖠𝟣'],
    ['monospace', 'x', '𝚡'],
    ['normal', 'd', 'd'],
  ])('in %s are the Unicode ones', (variant, text, signs) => {
    expect(mathLetters(text, variant)).toBe(signs)
  })

  test.each(['double-struck', 'script', 'fraktur', 'bold', 'bold-italic', 'sans-serif', 'monospace'])(
    'in %s normalize to plain letters for search',
    (variant) => {
      const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
      const signs = mathLetters(letters, variant)
      expect(signs).not.toMatch(/[a-z]/i)
      expect(signs.normalize('NFKC')).toBe(letters)
    },
  )
})
