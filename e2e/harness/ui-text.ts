/**
 * The web app's UI strings. Tests find elements by the keys of these strings, so tests stay valid when a string changes. Keys
 * have the same form as in the web app: `features/home:title`. Omit the suffixes `_one` and `_other` of plural forms.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type administration from '../../apps/web/src/features/administration/messages.en.json'
import type annotate from '../../apps/web/src/features/annotate/messages.en.json'
import type answerIssues from '../../apps/web/src/features/answer-issues/messages.en.json'
import type assignments from '../../apps/web/src/features/assignments/messages.en.json'
import type auth from '../../apps/web/src/features/auth/messages.en.json'
import type comments from '../../apps/web/src/features/comments/messages.en.json'
import type conditions from '../../apps/web/src/features/conditions/messages.en.json'
import type create from '../../apps/web/src/features/create/messages.en.json'
import type deletedDataset from '../../apps/web/src/features/deleted-dataset/messages.en.json'
import type download from '../../apps/web/src/features/download/messages.en.json'
import type examples from '../../apps/web/src/features/examples/messages.en.json'
import type guides from '../../apps/web/src/features/guides/messages.en.json'
import type home from '../../apps/web/src/features/home/messages.en.json'
import type hub from '../../apps/web/src/features/hub/messages.en.json'
import type jobs from '../../apps/web/src/features/jobs/messages.en.json'
import type models from '../../apps/web/src/features/models/messages.en.json'
import type overview from '../../apps/web/src/features/overview/messages.en.json'
import type profile from '../../apps/web/src/features/profile/messages.en.json'
import type records from '../../apps/web/src/features/records/messages.en.json'
import type refusals from '../../apps/web/src/features/refusals/messages.en.json'
import type review from '../../apps/web/src/features/review/messages.en.json'
import type savedViews from '../../apps/web/src/features/saved-views/messages.en.json'
import type secondFactor from '../../apps/web/src/features/second-factor/messages.en.json'
import type settings from '../../apps/web/src/features/settings/messages.en.json'
import type fieldTypesChat from '../../apps/web/src/field-types/chat/messages.en.json'
import type fieldTypesCustom from '../../apps/web/src/field-types/custom/messages.en.json'
import type fieldTypesImage from '../../apps/web/src/field-types/image/messages.en.json'
import type fieldTypesText from '../../apps/web/src/field-types/text/messages.en.json'
import type fieldTypesTrace from '../../apps/web/src/field-types/trace/messages.en.json'
import type common from '../../apps/web/src/i18n/messages/common.en.json'
import type questionTypesChoice from '../../apps/web/src/question-types/choice/messages.en.json'
import type questionTypesComparison from '../../apps/web/src/question-types/comparison/messages.en.json'
import type questionTypesLabelSelection from '../../apps/web/src/question-types/label_selection/messages.en.json'
import type questionTypesMultiLabelSelection from '../../apps/web/src/question-types/multi_label_selection/messages.en.json'
import type questionTypesRanking from '../../apps/web/src/question-types/ranking/messages.en.json'
import type questionTypesRating from '../../apps/web/src/question-types/rating/messages.en.json'
import type questionTypesShared from '../../apps/web/src/question-types/shared/messages.en.json'
import type questionTypesSharedOptions from '../../apps/web/src/question-types/shared/options/messages.en.json'
import type questionTypesSpan from '../../apps/web/src/question-types/span/messages.en.json'
import type questionTypesText from '../../apps/web/src/question-types/text/messages.en.json'
import type questionTypesTurns from '../../apps/web/src/question-types/turns/messages.en.json'
import type { Language } from './browser.ts'

type Areas = {
  'features/administration': typeof administration
  'features/annotate': typeof annotate
  'features/assignments': typeof assignments
  'features/auth': typeof auth
  'features/comments': typeof comments
  'features/conditions': typeof conditions
  'features/create': typeof create
  'features/deleted-dataset': typeof deletedDataset
  'features/download': typeof download
  'features/examples': typeof examples
  'features/guides': typeof guides
  'features/home': typeof home
  'features/hub': typeof hub
  'features/jobs': typeof jobs
  'features/models': typeof models
  'features/overview': typeof overview
  'features/profile': typeof profile
  'features/records': typeof records
  'features/refusals': typeof refusals
  'features/review': typeof review
  'features/saved-views': typeof savedViews
  'features/second-factor': typeof secondFactor
  'features/settings': typeof settings
  'features/answer-issues': typeof answerIssues
  'field-types/chat': typeof fieldTypesChat
  'field-types/custom': typeof fieldTypesCustom
  'field-types/image': typeof fieldTypesImage
  'field-types/text': typeof fieldTypesText
  'field-types/trace': typeof fieldTypesTrace
  common: typeof common
  'question-types/choice': typeof questionTypesChoice
  'question-types/comparison': typeof questionTypesComparison
  'question-types/label_selection': typeof questionTypesLabelSelection
  'question-types/multi_label_selection': typeof questionTypesMultiLabelSelection
  'question-types/ranking': typeof questionTypesRanking
  'question-types/rating': typeof questionTypesRating
  'question-types/shared': typeof questionTypesShared
  'question-types/shared/options': typeof questionTypesSharedOptions
  'question-types/span': typeof questionTypesSpan
  'question-types/text': typeof questionTypesText
  'question-types/turns': typeof questionTypesTurns
}

type WithoutForm<K extends string> = K extends `${infer Base}_${'one' | 'other'}` ? Base : K
type Keys<T> = {
  [K in keyof T & string]: T[K] extends string ? WithoutForm<K> : `${K}.${Keys<T[K]>}`
}[keyof T & string]
export type UiKey = { [A in keyof Areas & string]: `${A}:${Keys<Areas[A]>}` }[keyof Areas & string]
/** `count` chooses the plural form. It is also the default value of `formatted`. */
export type TextValues = Readonly<Record<string, string | number>>

const pages = join(import.meta.dirname, '../../apps/web/src')
type Texts = { readonly [name: string]: string | Texts }
const loaded = new Map<string, Texts>()

const textsOf = (area: string, language: Language): Texts => {
  const path = area === 'common' ? `i18n/messages/common.${language}.json` : `${area}/messages.${language}.json`
  const known = loaded.get(path)
  if (known) return known
  const file = join(pages, path)
  if (!existsSync(file)) throw new Error(`${path} does not exist`)
  const texts: Texts = JSON.parse(readFileSync(file, 'utf8'))
  loaded.set(path, texts)
  return texts
}

const lookUp = (texts: Texts, path: string): string | undefined => {
  let inner: string | Texts | undefined = texts
  for (const part of path.split('.')) inner = typeof inner === 'object' ? inner[part] : undefined
  return typeof inner === 'string' ? inner : undefined
}

const template = (key: UiKey, count: string | number | undefined, language: Language): string => {
  const [area = '', path = ''] = key.split(':')
  const texts = textsOf(area, language)
  const form = typeof count === 'number' ? new Intl.PluralRules(language).select(count) : 'other'
  const found = lookUp(texts, path) ?? lookUp(texts, `${path}_${form}`)
  if (found === undefined) throw new Error(`no text ${key} in ${language}`)
  return found
}

const PLACE = /\{\{(\w+)\}\}/g

/** A UI string as the web app shows it. @throws if a value that it needs is missing */
export const ui = (key: UiKey, values: TextValues = {}, language: Language = 'en'): string =>
  template(key, values['count'], language).replace(PLACE, (_, name: string) => {
    const { count } = values
    const value = values[name] ?? (name === 'formatted' && typeof count === 'number' ? count.toLocaleString(language) : undefined)
    if (value === undefined) throw new Error(`${key} needs a value for ${name}`)
    return String(value)
  })

const escaped = (literal: string): string => literal.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/**
 * Matches a UI string in any plural form. Values are literals or patterns; a missing value matches anything. With `whole: false`,
 * the string may also be part of a longer text.
 */
export const uiPattern = (
  key: UiKey,
  values: Readonly<Record<string, string | number | RegExp>> = {},
  { language = 'en', whole = true }: { readonly language?: Language; readonly whole?: boolean } = {},
): RegExp => {
  const [area = '', path = ''] = key.split(':')
  const texts = textsOf(area, language)
  const forms = [path, `${path}_one`, `${path}_other`].map((name) => lookUp(texts, name)).filter((form) => form !== undefined)
  if (forms.length === 0) throw new Error(`no text ${key} in ${language}`)
  const sources = forms.map((form) =>
    form
      .split(/(\{\{\w+\}\})/)
      .map((part) => {
        const name = /^\{\{(\w+)\}\}$/.exec(part)?.[1]
        if (name === undefined) return escaped(part)
        const value = values[name]
        if (value instanceof RegExp) return `(?:${value.source})`
        return value === undefined ? '[\\s\\S]*?' : escaped(String(value))
      })
      .join(''),
  )
  const source = `(?:${sources.join('|')})`
  return new RegExp(whole ? `^\\s*${source}\\s*$` : source)
}
