/**
 * `node apps/web/scripts/new-language.ts fr`: writes the file that a new language is, with every text in English, to be translated. The
 * page offers the language as soon as the file is there; the tests say what is missing in it.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { baseKey, pluralForm, readMessages } from './message-keys.ts'

type Tree = { [name: string]: string | Tree }

/** The texts of an area with the plural forms of the language in the place of those of English, as a tree. */
export const textsFor = (language: string, english: ReadonlyMap<string, string>): Tree => {
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories
  const tree: Tree = {}
  const put = (key: string, text: string): void => {
    const names = key.split('.')
    const last = names.pop() ?? ''
    let place = tree
    for (const name of names) {
      place[name] ??= {}
      place = place[name] as Tree
    }
    place[last] = text
  }
  for (const [key, text] of english) {
    if (pluralForm(key) === null) put(key, text)
    else if (pluralForm(key) === 'other') for (const form of forms) put(`${baseKey(key)}_${form}`, text)
  }
  return tree
}

if (import.meta.main) {
  const language = process.argv[2] ?? ''
  const file = join(import.meta.dirname, '..', 'src', 'i18n', 'languages', `${language}.json`)
  if (!/^[a-z]{2,3}$/.test(language)) throw new Error('Name the language by its code: node apps/web/scripts/new-language.ts fr')
  if (readMessages().has(language) || existsSync(file)) throw new Error(`There is a language ${language} already`)
  const areas = [...(readMessages().get('en') ?? [])].map(([area, texts]) => [area, textsFor(language, texts)] as const)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(areas), null, 2)}\n`)
  console.log(`${file} has every text in English. Translate it, then run: npm run check`)
}
