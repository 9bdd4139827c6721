import { expect, test } from 'vitest'
import { firstLanguage } from './languages.ts'

test.each([
  [null, ['de-AT', 'en'], 'de'],
  [null, ['fi-FI', 'es-419', 'de'], 'es'],
  [null, ['fi'], 'en'],
  [null, [], 'en'],
  ['es', ['de'], 'es'],
  ['de-CH', ['es'], 'de'],
  ['xx', ['de'], 'en'],
])('chosen %s with browser languages %j gives %s', (chosen, browser, language) => {
  expect(firstLanguage(chosen, browser)).toBe(language)
})
