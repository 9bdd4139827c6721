import { use, useSyncExternalStore } from 'react'
import { textsRetryDelay } from '#lib/constants.ts'
import { loadAreas } from './setup.ts'
import type { Translate } from './texts.ts'
import { currentLanguage, hasTexts, onLanguageChange, translatorOf } from './texts.ts'

type Translation = { readonly t: Translate; readonly language: string }

const translations = new Map<string, Translation>()
/** Pending loads of areas that were not preloaded. All components share one promise per area. Promises are never removed. */
const pendingAreas = new Map<string, Promise<void>>()

/** Retries until the messages are loaded, because the waiting component is part of a screen that stays open. */
const load = async (language: string, area: string): Promise<void> => {
  while (!hasTexts(language, area)) {
    await loadAreas(language, [area]).catch(() => new Promise((resolve) => setTimeout(resolve, textsRetryDelay)))
  }
}

const startLoading = (name: string, language: string, area: string): Promise<void> => {
  const pendingArea = load(language, area)
  pendingAreas.set(name, pendingArea)
  return pendingArea
}

/**
 * Returns the messages of an area in the UI language, and renders again when the language changes. Suspends until the area is
 * loaded. Never suspends for `common`, which is loaded before the first render.
 */
export const useTranslation = (area = 'common'): Translation => {
  const language = useSyncExternalStore(onLanguageChange, currentLanguage, currentLanguage)
  const name = `${language} ${area}`
  // React resumes a suspended component only if it waits for the same promise again, even if that promise has already resolved.
  const pendingArea =
    pendingAreas.get(name) ?? (area === 'common' || hasTexts(language, area) ? null : startLoading(name, language, area))
  if (pendingArea) use(pendingArea)
  const known = translations.get(name)
  if (known) return known
  const translator = translatorOf(area)
  // A new function for each language, so that values that depend on `t` are recomputed when the language changes.
  const translation: Translation = { t: (text, values) => translator(text, values), language }
  translations.set(name, translation)
  return translation
}
