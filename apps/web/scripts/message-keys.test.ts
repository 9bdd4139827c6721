import { describe, expect, test } from 'vitest'
import { baseKey, placeholders, pluralForm, readMessages, readUses, usesIn } from './message-keys.ts'

const messages = readMessages()
const english = messages.get('en') ?? new Map<string, ReadonlyMap<string, string>>()
const others = [...messages.keys()].filter((language) => language !== 'en')
const uses = readUses()
const areas = [...english.keys()]

/** Keys without their plural endings. */
const bases = (language: string, area: string): readonly string[] =>
  [...new Set([...(messages.get(language)?.get(area)?.keys() ?? [])].map(baseKey))].sort()

test('the texts are in English, German and Spanish at least', () => {
  expect([...messages.keys()]).toEqual(expect.arrayContaining(['de', 'en', 'es']))
  expect(areas.length).toBeGreaterThan(2)
  expect(uses.length).toBeGreaterThan(40)
})

describe.each(areas)('%s', (area) => {
  test.each(others)('has the keys of English in %s, no more and no fewer', (language) => {
    expect(bases(language, area)).toEqual(bases('en', area))
  })

  test.each(['en', ...others])('has in %s every plural form of the language', (language) => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories
    const found = new Map<string, string[]>()
    for (const key of messages.get(language)?.get(area)?.keys() ?? []) {
      const form = pluralForm(key)
      if (form) found.set(baseKey(key), [...(found.get(baseKey(key)) ?? []), form])
    }
    for (const [key, present] of found) expect(present.sort(), key).toEqual([...forms].sort())
  })

  test.each(others)('fills in the same values in %s', (language) => {
    const valuesOf = (code: string, base: string) =>
      [...(messages.get(code)?.get(area) ?? [])]
        .filter(([key]) => baseKey(key) === base)
        .flatMap(([, text]) => placeholders(text))
    for (const key of bases('en', area)) {
      expect([...new Set(valuesOf(language, key))].sort(), key).toEqual([...new Set(valuesOf('en', key))].sort())
    }
  })

  test('has no text that nothing shows', () => {
    const patterns = uses.filter((use) => use.areaPattern.test(area)).map((use) => use.pattern)
    expect(bases('en', area).filter((key) => !patterns.some((pattern) => pattern.test(key)))).toEqual([])
  })
})

/** Words that a language has an own one for, and the familiar form of address where the polite one is used. */
const strange: { readonly [language: string]: RegExp } = {
  de: /\b(Workspaces?|Datasets?|du|deine?[mnrs]?|dir|dich)\b/i,
  es: /(?<!\p{L})(workspaces?|datasets?|tú|tus?|ti|tienes|puedes)(?!\p{L})/iu,
}

test.each(Object.entries(strange))('one thing has one word in %s, and people are addressed one way', (language, words) => {
  const found = [...(messages.get(language) ?? [])].flatMap(([area, texts]) =>
    [...texts]
      .filter(([, text]) => words.test(text.replaceAll(/\{\{.*?\}\}/g, '')))
      .map(([key, text]) => `${area} ${key}: ${text}`),
  )
  expect(found).toEqual([])
})

test('everything that is asked for exists', () => {
  const missing = uses.filter(
    ({ areaPattern, pattern }) =>
      !areas.some((area) => areaPattern.test(area) && bases('en', area).some((key) => pattern.test(key))),
  )
  expect(missing.map(({ file, area, key }) => `${file}: ${area} ${key}`)).toEqual([])
})

test('uses are found in literals and template literals, by the area that their translator has', () => {
  const found = usesIn(
    'x.tsx',
    [
      "const { t } = useTranslation('features/home')",
      "t('title')",
      't(`sort.$' + '{key}`)',
      'const { t: common, language } = useTranslation()',
      "common('action.close')",
      "translate('nav.home')",
      "format('not.a.text')",
      "t('common:user.theme')",
      'const { t: slice } = useTranslation(`question-types/$' + '{kind}`)',
      "slice('name')",
    ].join('\n'),
  )
  expect(found.map(({ area, key }) => `${area.replace(/\$.*/, '…')} ${key.replace(/\$.*/, '…')}`)).toEqual([
    'features/home title',
    'features/home sort.…',
    'common action.close',
    'common nav.home',
    'common user.theme',
    'question-types/… name',
  ])
  expect(found[1]?.pattern.test('sort.name')).toBe(true)
  expect(found[1]?.pattern.test('sorting.name')).toBe(false)
  expect(found[5]?.areaPattern.test('question-types/rating')).toBe(true)
})
