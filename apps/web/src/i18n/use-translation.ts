import { use, useSyncExternalStore } from 'react'
import { textsRetry } from '#lib/constants.ts'
import { loadAreas } from './setup.ts'
import type { Translate } from './texts.ts'
import { hasTexts, languageNow, translatorOf, whenLanguageChanges } from './texts.ts'

export type Translation = { readonly t: Translate; readonly language: string }

const made = new Map<string, Translation>()
/** Of areas that nobody had loaded ahead when they were first asked for: the same for all who ask, and for good. */
const arrivals = new Map<string, Promise<void>>()

/** Tries until they come: what waits for them is a part of a screen that is there already, and stays. */
const load = async (language: string, area: string): Promise<void> => {
  while (!hasTexts(language, area)) {
    await loadAreas(language, [area]).catch(() => new Promise((again) => setTimeout(again, textsRetry)))
  }
}

const arrive = (name: string, language: string, area: string): Promise<void> => {
  const arrival = load(language, area)
  arrivals.set(name, arrival)
  return arrival
}

/**
 * The texts of an area in the language of the page; the component is rendered again when that changes. It waits (Suspense) for an area that is
 * not there yet. `common` is there before anything is rendered, and nothing waits for it.
 */
export const useTranslation = (area = 'common'): Translation => {
  const language = useSyncExternalStore(whenLanguageChanges, languageNow, languageNow)
  const name = `${language} ${area}`
  // NOTE: React goes on with a component that waited only where it waits for the same again, also when that is there by then
  const arrival = arrivals.get(name) ?? (area === 'common' || hasTexts(language, area) ? null : arrive(name, language, area))
  if (arrival) use(arrival)
  const known = made.get(name)
  if (known) return known
  const translator = translatorOf(area)
  // A function of its own for each language: what depends on `t` is made anew when the language changes.
  const translation: Translation = { t: (text, values) => translator(text, values), language }
  made.set(name, translation)
  return translation
}
