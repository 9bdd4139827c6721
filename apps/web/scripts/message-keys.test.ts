import { describe, expect, test } from 'vitest'
import { baseKey, placeholders, pluralForm, readMessages, readTemplateUses, readUses, usesIn } from './message-keys.ts'

const messages = readMessages()
const english = messages.get('en') ?? new Map<string, ReadonlyMap<string, string>>()
const others = [...messages.keys()].filter((language) => language !== 'en')
const keyUses = readUses()
const areas = [...english.keys()]

/** Keys without their plural suffixes. */
const bases = (language: string, area: string): readonly string[] =>
  [...new Set([...(messages.get(language)?.get(area)?.keys() ?? [])].map(baseKey))].sort()

test('the texts exist at least in English, German and Spanish', () => {
  expect([...messages.keys()]).toEqual(expect.arrayContaining(['de', 'en', 'es']))
  expect(areas.length).toBeGreaterThan(2)
  expect(keyUses.length).toBeGreaterThan(40)
})

describe.each(areas)('%s', (area) => {
  test.each(others)('has the same keys in %s as in English', (language) => {
    expect(bases(language, area)).toEqual(bases('en', area))
  })

  test.each(['en', ...others])('has every plural form of the language in %s', (language) => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories
    const found = new Map<string, string[]>()
    for (const key of messages.get(language)?.get(area)?.keys() ?? []) {
      const form = pluralForm(key)
      if (form) found.set(baseKey(key), [...(found.get(baseKey(key)) ?? []), form])
    }
    for (const [key, present] of found) expect(present.sort(), key).toEqual([...forms].sort())
  })

  test.each(others)('uses the same placeholders in %s as in English', (language) => {
    const valuesOf = (code: string, base: string) =>
      [...(messages.get(code)?.get(area) ?? [])]
        .filter(([key]) => baseKey(key) === base)
        .flatMap(([, text]) => placeholders(text))
    for (const key of bases('en', area)) {
      expect([...new Set(valuesOf(language, key))].sort(), key).toEqual([...new Set(valuesOf('en', key))].sort())
    }
  })

  test('has no unused text', () => {
    const patterns = keyUses.filter((use) => use.areaPattern.test(area)).map((use) => use.pattern)
    expect(bases('en', area).filter((key) => !patterns.some((pattern) => pattern.test(key)))).toEqual([])
  })
})

/**
 * Patterns for English words that have a native equivalent, and for the familiar form of address in languages that use the
 * polite form.
 */
const wrongFormKeys: { readonly [language: string]: RegExp } = {
  de: /\b(Workspaces?|Datasets?|du|deine?[mnrs]?|dir|dich)\b/i,
  es: /(?<!\p{L})(workspaces?|datasets?|tú|tus?|ti|tienes|puedes)(?!\p{L})/iu,
}

test.each(Object.entries(wrongFormKeys))(
  'each concept has one term in %s, and users are addressed consistently',
  (language, words) => {
    const found = [...(messages.get(language) ?? [])].flatMap(([area, texts]) =>
      [...texts]
        .filter(([, text]) => words.test(text.replaceAll(/\{\{.*?\}\}/g, '')))
        .map(([key, text]) => `${area} ${key}: ${text}`),
    )
    expect(found).toEqual([])
  },
)

test('every requested text exists', () => {
  const templateUses = readTemplateUses()
  expect(templateUses.length).toBeGreaterThan(0)
  const missing = [...keyUses, ...templateUses].filter(
    ({ areaPattern, pattern }) =>
      !areas.some((area) => areaPattern.test(area) && bases('en', area).some((key) => pattern.test(key))),
  )
  expect(missing.map(({ file, area, key }) => `${file}: ${area} ${key}`)).toEqual([])
})

test('uses are found in literals and template literals, in the area of their translator', () => {
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
