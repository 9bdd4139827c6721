import { loadFile } from '#lib/net/load-file.ts'
import { preferences, storageKey } from '#lib/prefs/preferences.ts'
import { firstLanguage, resolveLanguage } from './languages.ts'
import { loadMessages } from './messages.ts'
import { addTexts, areasOf, hasTexts, languageNow, showLanguage } from './texts.ts'

const show = (language: string): void => {
  showLanguage(language)
  document.documentElement.lang = language
}

/** Loads what is not there yet of some areas. @throws ApiError with status 0 when they do not arrive */
export const loadAreas = async (language: string, areas: readonly string[]): Promise<void> => {
  const missing = areas.filter((area) => !hasTexts(language, area))
  await Promise.all(missing.map(async (area) => addTexts(language, area, await loadFile(() => loadMessages(area, language)))))
}

/** Starts with the language that was chosen, or the browser's; resolves when the common area is there. */
export const setUpTranslations = (): Promise<void> => {
  show(firstLanguage(preferences.read().language))
  return preloadMessages('common')
}

/**
 * Loads areas ahead of the screen that shows them, so that it does not wait twice.
 * @throws ApiError with status 0 when they do not arrive
 */
export const preloadMessages = (...areas: readonly string[]): Promise<void> => loadAreas(languageNow(), areas)

/** Switches every text on the screen once those of the other language are there. */
const speak = async (language: string): Promise<void> => {
  await loadAreas(language, areasOf(languageNow()))
  show(language)
}

/**
 * Switches every text on the screen, stores the choice and sets `<html lang>`.
 * @throws ApiError with status 0 when the texts do not arrive: then everything stays as it is
 */
export const changeLanguage = async (language: string): Promise<void> => {
  const resolved = resolveLanguage(language)
  await speak(resolved)
  preferences.write({ language: resolved })
}

/** A language chosen in another tab is taken over. */
export const followLanguage = (): void => {
  window.addEventListener('storage', (event) => {
    if (event.key !== storageKey) return
    const chosen = firstLanguage(preferences.read().language)
    // Where the texts do not arrive this tab stays as it is: nobody here has asked for anything.
    if (chosen !== languageNow()) speak(chosen).catch(() => undefined)
  })
}
