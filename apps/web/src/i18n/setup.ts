import { loadFile } from '#lib/net/load-file.ts'
import { preferences } from '#lib/prefs/preferences.ts'
import { resolveLanguage } from './languages.ts'
import { loadMessages } from './messages.ts'
import { addTexts, areasOf, hasTexts, languageNow, showLanguage } from './texts.ts'

const show = (language: string): void => {
  showLanguage(language)
  document.documentElement.lang = language
}

/** Loads what is not there yet of some areas. @throws ApiError with status 0 when they do not arrive */
const loadAreas = async (language: string, areas: readonly string[]): Promise<void> => {
  const missing = areas.filter((area) => !hasTexts(language, area))
  await Promise.all(missing.map(async (area) => addTexts(language, area, await loadFile(() => loadMessages(area, language)))))
}

/** Starts with the stored language; resolves when the common area is there. */
export const setUpTranslations = (): Promise<void> => {
  show(resolveLanguage(preferences.read().language))
  return preloadMessages('common')
}

/**
 * Loads areas ahead of the screen that shows them, so that it does not wait twice.
 * @throws ApiError with status 0 when they do not arrive
 */
export const preloadMessages = (...areas: readonly string[]): Promise<void> => loadAreas(languageNow(), areas)

/**
 * Stores the choice, switches every text on the screen once those of the other language are there, and sets `<html lang>`.
 * @throws ApiError with status 0 when they do not arrive: then the page stays as it is, and is in that language the next time
 */
export const changeLanguage = async (language: string): Promise<void> => {
  const resolved = resolveLanguage(language)
  preferences.write({ language: resolved })
  await loadAreas(resolved, areasOf(languageNow()))
  show(resolved)
}
