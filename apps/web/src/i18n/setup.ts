import { loadFile } from '#lib/net/load-file.ts'
import { preferences, storageKey } from '#lib/prefs/preferences.ts'
import { firstLanguage, resolveLanguage } from './languages.ts'
import { loadMessages, typeAreas, typeNamesArea } from './messages.ts'
import { addTexts, areasOf, currentLanguage, hasTexts, setCurrentLanguage } from './texts.ts'

const applyLanguage = (language: string): void => {
  setCurrentLanguage(language)
  document.documentElement.lang = language
}

/**
 * Loads the given areas, except those already loaded.
 * @throws ApiError with status 0 if they can't be loaded
 */
export const loadAreas = async (language: string, areas: readonly string[]): Promise<void> => {
  const missing = areas.filter((area) => !hasTexts(language, area))
  await Promise.all(missing.map(async (area) => addTexts(language, area, await loadFile(() => loadMessages(area, language)))))
}

/**
 * Sets the initial language: the user's choice, or the browser's language. Resolves when the messages of the area `common` are
 * loaded.
 */
export const setUpTranslations = (): Promise<void> => {
  applyLanguage(firstLanguage(preferences.read().language))
  return preloadMessages('common')
}

/**
 * Preloads the areas that a screen shows. Otherwise, the screen would wait first for its code and then for its messages.
 * @throws ApiError with status 0 if they can't be loaded
 */
export const preloadMessages = (...areas: readonly string[]): Promise<void> => loadAreas(currentLanguage(), areas)

/**
 * Preloads the messages of all question and field types, and of the given areas.
 * @throws ApiError with status 0 if they can't be loaded
 */
export const preloadTypeMessages = async (...areas: readonly string[]): Promise<void> =>
  preloadMessages(...areas, typeNamesArea, ...(await loadFile(typeAreas)))

/** Switches all text on the screen once the language's messages are loaded. */
const switchLanguage = async (language: string): Promise<void> => {
  await loadAreas(language, areasOf(currentLanguage()))
  applyLanguage(language)
}

/**
 * Switches all text on the screen, stores the choice and sets `<html lang>`.
 * @throws ApiError with status 0 if the messages can't be loaded; in that case, nothing changes
 */
export const changeLanguage = async (language: string): Promise<void> => {
  const resolved = resolveLanguage(language)
  await switchLanguage(resolved)
  preferences.write({ language: resolved })
}

/** Switches the language whenever the user chooses a language in another tab. */
export const followLanguage = (): void => {
  window.addEventListener('storage', (event) => {
    if (event.key !== storageKey) return
    const chosen = firstLanguage(preferences.read().language)
    // If the messages can't be loaded, this tab silently keeps its language, because the user made the change in another tab.
    if (chosen !== currentLanguage()) switchLanguage(chosen).catch(() => undefined)
  })
}
