import { expect, test } from 'vitest'
import { loadFrom } from './messages.ts'

const file = (title: string) => async () => ({ title })
const own = [
  async () => ({ './messages/common.en.json': file('Common'), '../features/home/messages.en.json': file('Home') }),
  async () => ({ '../features/home/messages.de.json': file('Start') }),
]
const whole = {
  './languages/fr.json': async () => ({ 'features/home': { title: 'Accueil' }, 'features/rest': { title: 'Reste' } }),
}

test.each([
  ['features/home', 'de', 'Start'],
  ['features/home', 'fr', 'Accueil'],
  ['features/rest', 'fr', 'Reste'],
  // Falls back to English for missing messages.
  ['common', 'fr', 'Common'],
  ['common', 'de', 'Common'],
])('loads %s in %s', async (area, language, title) => {
  expect(await loadFrom(own, whole, area, language)).toEqual({ title })
})

test('an area without a file has no texts', async () => {
  expect(await loadFrom(own, whole, 'features/none', 'fr')).toBeNull()
})
