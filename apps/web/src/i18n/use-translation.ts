import { use, useSyncExternalStore } from 'react'
import { preloadMessages } from './setup.ts'
import type { Translate } from './texts.ts'
import { hasTexts, languageNow, translatorOf, whenLanguageChanges } from './texts.ts'

export type Translation = { readonly t: Translate; readonly language: string }

const made = new Map<string, Translation>()
const onTheWay = new Map<string, Promise<void>>()

/** Waits for an area that nobody has loaded ahead; the same wait for all who ask. */
const arrival = (name: string, area: string): Promise<void> => {
  const loading = onTheWay.get(name) ?? preloadMessages(area).finally(() => onTheWay.delete(name))
  onTheWay.set(name, loading)
  return loading
}

/**
 * The texts of an area in the language of the page; the component is rendered again when that changes. It waits (Suspense) for an area that is
 * not there yet. `common` is there before anything is rendered, and nothing waits for it.
 */
export const useTranslation = (area = 'common'): Translation => {
  const language = useSyncExternalStore(whenLanguageChanges, languageNow, languageNow)
  const name = `${language} ${area}`
  if (area !== 'common' && !hasTexts(language, area)) use(arrival(name, area))
  const known = made.get(name)
  if (known) return known
  const translator = translatorOf(area)
  // A function of its own for each language: what depends on `t` is made anew when the language changes.
  const translation: Translation = { t: (text, values) => translator(text, values), language }
  made.set(name, translation)
  return translation
}
