/**
 * `node apps/web/scripts/new-language.ts fr` creates the file of a new language with every message in English, ready to
 * translate. The web app offers the language as soon as the file exists. The tests report untranslated messages.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { baseKey, pluralForm, readMessages } from './message-keys.ts'

type Tree = { [name: string]: string | Tree }

/** Returns an area's messages as a tree, with the language's plural forms instead of the English ones. */
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
  if (!/^[a-z]{2,3}$/.test(language))
    throw new Error('Give the code of the language, for example: node apps/web/scripts/new-language.ts fr')
  if (readMessages().has(language) || existsSync(file)) throw new Error(`The language ${language} already exists`)
  const areas = [...(readMessages().get('en') ?? [])].map(([area, texts]) => [area, textsFor(language, texts)] as const)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(areas), null, 2)}\n`)
  console.log(`Created ${file} with all messages in English. Translate them, then run: npm run check`)
}
