import { defaultLanguage } from './languages.ts'
import type { Texts } from './texts.ts'

type Load<T = Texts> = () => Promise<T>
type Files<T = Texts> = { readonly [path: string]: Load<T> }
/** All areas of a language in one file. */
type LanguageFile = { readonly [area: string]: Texts }

const files: Files = {
  ...import.meta.glob<Texts>('./messages/*.json', { import: 'default' }),
  ...import.meta.glob<Texts>('../features/auth/messages.*.json', { import: 'default' }),
}
const languageFiles: Files<LanguageFile> = import.meta.glob<LanguageFile>('./languages/*.json', { import: 'default' })

const pathsOf = (area: string, language: string): readonly string[] => [
  `./messages/${area}.${language}.json`,
  `../${area}/messages.${language}.json`,
]

const find = (candidates: Files, area: string, language: string): Load | undefined =>
  pathsOf(area, language)
    .map((path) => candidates[path])
    .find((found) => found !== undefined)

/**
 * Loads an area from its own file or, if there is none, from the language's single file. If the language lacks the area, loads
 * it in English. Resolves to null if the area doesn't exist.
 */
export const loadFrom = async (
  areaSources: readonly (() => Promise<Files>)[],
  languageSources: Files<LanguageFile>,
  area: string,
  language: string,
): Promise<Texts | null> => {
  for (const code of [language, defaultLanguage]) {
    for (const candidates of areaSources) {
      const load = find(await candidates(), area, code)
      if (load) return load()
    }
    const fromLanguageFile = (await languageSources[`./languages/${code}.json`]?.())?.[area]
    if (fromLanguageFile) return fromLanguageFile
  }
  return null
}

export const typeNamesArea = 'type-names'

/** Returns the areas of all question and field types. */
export const typeAreas = async (): Promise<readonly string[]> => (await import('./area-files.ts')).typeAreas

/**
 * Loads the messages of one area in one language. Falls back to English if the language lacks the area.
 *
 * An area is named after the location of its English messages in `src`. The area `common` is in `i18n/messages/common.en.json`.
 * The areas `features/home` and `question-types/rating` are in the file `messages.en.json` of the folder of that name. A file
 * such as `i18n/languages/fr.json` contains all areas of a language, keyed by area.
 *
 * Rejects if the area doesn't exist or can't be loaded.
 */
export const loadMessages = async (area: string, language: string): Promise<Texts> => {
  if (area === typeNamesArea) {
    const { typeNames } = await import('./type-names.ts')
    return typeNames(language, await languageFiles[`./languages/${language}.json`]?.())
  }
  const behindSignIn = async () => (await import('./area-files.ts')).areaFiles
  const found = await loadFrom([async () => files, behindSignIn], languageFiles, area, language)
  if (found) return found
  throw new Error(`no messages for ${area}`)
}
