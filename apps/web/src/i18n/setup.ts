import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { loadFile } from '#lib/net/load-file.ts'
import { preferences } from '#lib/prefs/preferences.ts'
import { resolveLanguage } from './languages.ts'
import { loadMessages } from './messages.ts'

const showLanguage = (language: string): void => {
  document.documentElement.lang = language
}

/** Starts translations with the stored language; resolves when the common area is there. */
export const setUpTranslations = async (): Promise<void> => {
  i18next.use({
    type: 'backend',
    read: (language: string, namespace: string, done: (error: unknown, data: unknown) => void) => {
      loadMessages(namespace, language).then(
        (messages) => done(null, messages),
        (error: unknown) => done(error, null),
      )
    },
  })
  i18next.use(initReactI18next)
  i18next.on('languageChanged', showLanguage)
  await i18next.init({
    lng: resolveLanguage(preferences.read().language),
    // Files are complete in every language (a test sees to it), so English is never fetched beside another one.
    fallbackLng: false,
    load: 'currentOnly',
    ns: ['common'],
    defaultNS: 'common',
    // Said, because each text would otherwise be looked at for whether its name may be a sentence.
    keySeparator: '.',
    interpolation: { escapeValue: false },
    react: { useSuspense: true, bindI18n: 'languageChanged' },
    returnNull: false,
  })
}

/**
 * Loads areas ahead of the screen that shows them, so that it does not wait twice.
 * @throws ApiError with status 0 when they do not arrive; `loadNamespaces` would try for ten seconds, then show the names of the texts
 */
export const preloadMessages = async (...areas: readonly string[]): Promise<void> => {
  const { language } = i18next
  const missing = areas.filter((area) => !i18next.hasResourceBundle(language, area))
  await Promise.all(
    missing.map(async (area) => {
      const texts = await loadFile(() => loadMessages(area, language))
      i18next.addResourceBundle(language, area, texts)
    }),
  )
}

/** Switches every text on the screen, stores the choice and sets `<html lang>`. */
export const changeLanguage = async (language: string): Promise<void> => {
  const resolved = resolveLanguage(language)
  preferences.write({ language: resolved })
  await i18next.changeLanguage(resolved)
}
