import { defaultLanguage } from './languages.ts'
import type { Texts } from './texts.ts'

/**
 * The names of all question and field types. They are separate from the types' other messages, because the home page needs only
 * the names.
 */
const files = import.meta.glob<string>(
  ['../question-types/*/messages.*.json', '../field-types/*/messages.*.json', '!../question-types/shared/*'],
  { eager: true, import: 'name', query: '?name' },
)

const areas = Object.keys(files).flatMap((path) => {
  const end = `/messages.${defaultLanguage}.json`
  return path.endsWith(end) ? [path.slice('../'.length, -end.length)] : []
})

/**
 * Returns the type names in a language: `question` and `field`, each with the names by kind.
 * @param languageFile the language's file, if one file has all its areas
 */
export const typeNames = (language: string, languageFile?: { readonly [area: string]: Texts }): Texts => {
  const nameOf = (area: string): string => {
    const own = files[`../${area}/messages.${language}.json`] ?? languageFile?.[area]?.['name']
    return typeof own === 'string' ? own : (files[`../${area}/messages.${defaultLanguage}.json`] ?? area)
  }
  const namesIn = (folder: string): Texts =>
    Object.fromEntries(
      areas.flatMap((area) => (area.startsWith(`${folder}/`) ? [[area.slice(folder.length + 1), nameOf(area)]] : [])),
    )
  return { question: namesIn('question-types'), field: namesIn('field-types') }
}
