import { defaultLanguage } from './languages.ts'

/** The texts of one area in one language. A text with a count is there once for each plural form of the language: `left_one`, `left_other`. */
export type Texts = { readonly [name: string]: string | Texts }
/** What stands in a text as `{{name}}`. */
export type Values = { readonly [name: string]: unknown }
/** @param name as it stands in the area's file, inner names after dots; of another area as `features/home:title` */
export type Translate = (name: string, values?: Values) => string

const common = 'common'
/** By language and area. */
const areas = new Map<string, Texts>()
const listeners = new Set<() => void>()
let current = defaultLanguage

const placeOf = (language: string, area: string): string => `${language} ${area}`

/** The language of every text on the screen. */
export const languageNow = (): string => current
export const showLanguage = (language: string): void => {
  current = language
  for (const listener of listeners) listener()
}
export const whenLanguageChanges = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const addTexts = (language: string, area: string, texts: Texts): void => {
  areas.set(placeOf(language, area), texts)
}
export const hasTexts = (language: string, area: string): boolean => areas.has(placeOf(language, area))
/** The areas that a language has so far. */
export const areasOf = (language: string): readonly string[] =>
  [...areas.keys()].filter((place) => place.startsWith(`${language} `)).map((place) => place.slice(language.length + 1))

const rules = new Map<string, Intl.PluralRules>()
const pluralForm = (language: string, count: number): string => {
  const known = rules.get(language) ?? new Intl.PluralRules(language)
  rules.set(language, known)
  return known.select(count)
}

const textAt = (texts: Texts | undefined, name: string): string | undefined => {
  let inner: string | Texts | undefined = texts
  for (const part of name.split('.')) inner = typeof inner === 'object' && Object.hasOwn(inner, part) ? inner[part] : undefined
  return typeof inner === 'string' ? inner : undefined
}

const find = (area: string, name: string, count: unknown): string | undefined => {
  const end = name.indexOf(':')
  const texts = areas.get(placeOf(current, end < 0 ? area : name.slice(0, end)))
  const inArea = end < 0 ? name : name.slice(end + 1)
  const plural = typeof count === 'number' ? textAt(texts, `${inArea}_${pluralForm(current, count)}`) : undefined
  return plural ?? textAt(texts, inArea)
}

const place = /\{\{(\w{1,40})\}\}/g
const fill = (text: string, values: Values): string => text.replace(place, (_, name: string) => String(values[name] ?? ''))

const translators = new Map<string, Translate>()

/** How the texts of an area are asked for in the language that is shown then. A text that is not there shows its name. */
export const translatorOf = (area: string): Translate => {
  const known = translators.get(area)
  if (known) return known
  const translate: Translate = (name, values) => {
    const text = find(area, name, values?.['count'])
    if (text === undefined) return name
    return values ? fill(text, values) : text
  }
  translators.set(area, translate)
  return translate
}

/** A text of the common area, or of another one as `features/home:title`, outside of components. */
export const translate: Translate = translatorOf(common)
/** Whether there is such a text. */
export const hasText = (name: string): boolean => find(common, name, undefined) !== undefined
