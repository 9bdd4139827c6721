import { defaultLanguage } from './languages.ts'

/**
 * The messages of one area in one language. A message with a count has one entry per plural form of the language: `left_one`,
 * `left_other`.
 */
export type Texts = { readonly [name: string]: string | Texts }
/** The values of `{{name}}` in a message. */
export type Values = { readonly [name: string]: unknown }
/**
 * @param name key in the area's file, with nested keys separated by dots. A key of another area is written as
 * `features/home:title`
 */
export type Translate = (name: string, values?: Values) => string

const common = 'common'
/** The loaded messages, keyed by language and area. */
const areas = new Map<string, Texts>()
const listeners = new Set<() => void>()
let current = defaultLanguage

const areaKey = (language: string, area: string): string => `${language} ${area}`

/** The language of all text on the screen. */
export const currentLanguage = (): string => current
export const setCurrentLanguage = (language: string): void => {
  current = language
  for (const listener of listeners) listener()
}
export const onLanguageChange = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const addTexts = (language: string, area: string, texts: Texts): void => {
  areas.set(areaKey(language, area), texts)
}
export const hasTexts = (language: string, area: string): boolean => areas.has(areaKey(language, area))
/** Returns the loaded areas of a language. */
export const areasOf = (language: string): readonly string[] =>
  [...areas.keys()].filter((key) => key.startsWith(`${language} `)).map((key) => key.slice(language.length + 1))

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
  const texts = areas.get(areaKey(current, end < 0 ? area : name.slice(0, end)))
  const inArea = end < 0 ? name : name.slice(end + 1)
  const plural = typeof count === 'number' ? textAt(texts, `${inArea}_${pluralForm(current, count)}`) : undefined
  return plural ?? textAt(texts, inArea)
}

const placeholder = /\{\{(\w{1,40})\}\}/g
const interpolate = (text: string, values: Values): string =>
  text.replace(placeholder, (_, name: string) => String(values[name] ?? ''))

const translators = new Map<string, Translate>()

/** Returns the function that looks up an area's messages in the current language. A missing message shows its key. */
export const translatorOf = (area: string): Translate => {
  const known = translators.get(area)
  if (known) return known
  const translate: Translate = (name, values) => {
    const text = find(area, name, values?.['count'])
    if (text === undefined) return name
    return values ? interpolate(text, values) : text
  }
  translators.set(area, translate)
  return translate
}

/**
 * Looks up a message outside components. The key is in the common area unless it names another area, as in `features/home:title`.
 */
export const translate: Translate = translatorOf(common)
/** Whether the common area, or the area named in the key, has a message with this key. */
export const hasText = (name: string): boolean => find(common, name, undefined) !== undefined
