import { defaultLanguage } from './languages.ts'
import type { Texts } from './texts.ts'

type Load = () => Promise<Texts>

const files: { readonly [path: string]: Load } = {
  ...import.meta.glob<Texts>('./messages/*.json', { import: 'default' }),
  ...import.meta.glob<Texts>('../features/auth/messages.*.json', { import: 'default' }),
}

const pathsOf = (namespace: string, language: string): readonly string[] => [
  `./messages/${namespace}.${language}.json`,
  `../${namespace}/messages.${language}.json`,
]

const find = (among: typeof files, namespace: string, language: string): Load | undefined =>
  [language, defaultLanguage]
    .flatMap((candidate) => pathsOf(namespace, candidate))
    .map((path) => among[path])
    .find((found) => found !== undefined)

/**
 * Loads one area in one language. Areas are named by their place: `common` is `i18n/messages/common.en.json`,
 * `features/home` and `question-types/rating` are `messages.en.json` in that folder of `src`.
 * A language without the area gets it in English. Rejects on an area that does not exist or does not arrive.
 */
export const loadMessages = async (namespace: string, language: string): Promise<Texts> => {
  const load = find(files, namespace, language) ?? find((await import('./area-files.ts')).areaFiles, namespace, language)
  if (load) return load()
  throw new Error(`no messages for ${namespace}`)
}
