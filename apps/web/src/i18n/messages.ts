import { defaultLanguage } from './languages.ts'
import type { Texts } from './texts.ts'

type Load<T = Texts> = () => Promise<T>
type Files<T = Texts> = { readonly [path: string]: Load<T> }
/** All areas of a language in one file. */
type Whole = { readonly [area: string]: Texts }

const files: Files = {
  ...import.meta.glob<Texts>('./messages/*.json', { import: 'default' }),
  ...import.meta.glob<Texts>('../features/auth/messages.*.json', { import: 'default' }),
}
const wholes: Files<Whole> = import.meta.glob<Whole>('./languages/*.json', { import: 'default' })

const pathsOf = (area: string, language: string): readonly string[] => [
  `./messages/${area}.${language}.json`,
  `../${area}/messages.${language}.json`,
]

const find = (among: Files, area: string, language: string): Load | undefined =>
  pathsOf(area, language)
    .map((path) => among[path])
    .find((found) => found !== undefined)

/** An area from its own file, else from the one that has them all, else in English. Null where there is no such area. */
export const loadFrom = async (
  own: readonly (() => Promise<Files>)[],
  whole: Files<Whole>,
  area: string,
  language: string,
): Promise<Texts | null> => {
  for (const code of [language, defaultLanguage]) {
    for (const among of own) {
      const load = find(await among(), area, code)
      if (load) return load()
    }
    const inOne = (await whole[`./languages/${code}.json`]?.())?.[area]
    if (inOne) return inOne
  }
  return null
}

/**
 * Loads one area in one language. Areas are named by their place: `common` is `i18n/messages/common.en.json`,
 * `features/home` and `question-types/rating` are `messages.en.json` in that folder of `src`; in `i18n/languages/fr.json` they are names.
 * A language without the area gets it in English. Rejects on an area that does not exist or does not arrive.
 */
export const loadMessages = async (area: string, language: string): Promise<Texts> => {
  const behindSignIn = async () => (await import('./area-files.ts')).areaFiles
  const found = await loadFrom([async () => files, behindSignIn], wholes, area, language)
  if (found) return found
  throw new Error(`no messages for ${area}`)
}
