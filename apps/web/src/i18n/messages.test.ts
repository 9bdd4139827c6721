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
  // What a language does not have is there in English.
  ['common', 'fr', 'Common'],
  ['common', 'de', 'Common'],
])('%s in %s', async (area, language, title) => {
  expect(await loadFrom(own, whole, area, language)).toEqual({ title })
})

test('there is no area that no file has', async () => {
  expect(await loadFrom(own, whole, 'features/none', 'fr')).toBeNull()
})
