import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  addTexts,
  areasOf,
  currentLanguage,
  hasText,
  hasTexts,
  onLanguageChange,
  setCurrentLanguage,
  translate,
  translatorOf,
} from './texts.ts'

const english = {
  title: 'Records',
  nav: { home: 'Home' },
  left_one: '{{count}} record of {{name}}',
  left_other: '{{count}} records of {{name}}',
}
const spanish = { left_one: '{{count}} registro', left_many: '{{count}} de registros', left_other: '{{count}} registros' }

beforeEach(() => {
  addTexts('en', 'common', english)
  addTexts('es', 'common', spanish)
  addTexts('en', 'features/home', { title: 'Datasets' })
})
afterEach(() => setCurrentLanguage('en'))

test('a text is found by its dotted key, and the key is shown if there is no text', () => {
  expect([translate('title'), translate('nav.home')]).toEqual(['Records', 'Home'])
  expect([translate('nav'), translate('nav.away'), translate('toString'), translate('title.length')]).toEqual([
    'nav',
    'nav.away',
    'toString',
    'title.length',
  ])
})

test('areas have their own keys and can be named explicitly', () => {
  const t = translatorOf('features/home')
  expect([t('title'), t('common:title'), translate('features/home:title'), t('nav.home')]).toEqual([
    'Datasets',
    'Records',
    'Datasets',
    'nav.home',
  ])
  expect([hasText('nav.home'), hasText('features/home:title'), hasText('features/home:nav.home'), hasText('nav')]).toEqual([
    true,
    true,
    false,
    false,
  ])
})

test('a count selects the plural form of the language', () => {
  expect([0, 1, 2].map((count) => translate('left', { count, name: 'x' }))).toEqual([
    '0 records of x',
    '1 record of x',
    '2 records of x',
  ])
  setCurrentLanguage('es')
  expect([1, 2, 1_000_000].map((count) => translate('left', { count }))).toEqual([
    '1 registro',
    '2 registros',
    '1000000 de registros',
  ])
})

test('inserted values are not interpreted', () => {
  expect(translate('left', { count: 1, name: '{{count}} $t(title) <b>$&</b>' })).toBe('1 record of {{count}} $t(title) <b>$&</b>')
  expect(translate('left', { count: 2 })).toBe('2 records of ')
})

test('subscribers hear of a language change until they unsubscribe', () => {
  const notifications: string[] = []
  const stop = onLanguageChange(() => notifications.push(currentLanguage()))
  setCurrentLanguage('es')
  stop()
  setCurrentLanguage('en')
  expect(notifications).toEqual(['es'])
  expect(areasOf('en')).toEqual(['common', 'features/home'])
  expect([hasTexts('es', 'common'), hasTexts('es', 'features/home')]).toEqual([true, false])
})
