import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** The messages of one language, keyed by area and then by full key, as in the JSON files. */
export type Areas = ReadonlyMap<string, ReadonlyMap<string, string>>
/**
 * A use of a message in the source. `area` and `key` are written as in the source. If they are template literals, the patterns
 * match every possible result.
 */
export type Use = {
  readonly file: string
  readonly area: string
  readonly areaPattern: RegExp
  readonly key: string
  readonly pattern: RegExp
}

const source = join(import.meta.dirname, '..', 'src')
const templates = join(import.meta.dirname, '..', '..', '..', 'scripts', 'templates')

const filesBelow = (folder: string, ending: RegExp): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name))
    .map((name) => join(folder, name))

const flatten = (value: unknown, prefix: string, into: Map<string, string>): void => {
  if (typeof value === 'string') into.set(prefix, value)
  else if (typeof value === 'object' && value !== null) {
    for (const [key, child] of Object.entries(value)) flatten(child, prefix === '' ? key : `${prefix}.${key}`, into)
  }
}

type Texts = { readonly area: string; readonly language: string; readonly texts: unknown }

/** Returns the areas in a file. A file contains one area or all areas of a language. */
const textsIn = (path: string): readonly Texts[] => {
  const name = relative(source, path).replaceAll('\\', '/')
  const whole = /^i18n\/languages\/([a-z]{2,3})\.json$/.exec(name)
  const one = /^i18n\/messages\/(.+)\.([a-z]{2,3})\.json$/.exec(name) ?? /^(.+)\/messages\.([a-z]{2,3})\.json$/.exec(name)
  if (!whole && !one) return []
  const content: unknown = JSON.parse(readFileSync(path, 'utf8'))
  if (one) return [{ area: one[1] ?? '', language: one[2] ?? '', texts: content }]
  return Object.entries(content as object).map(([area, texts]) => ({ area, language: whole?.[1] ?? '', texts }))
}

/** Returns all messages, keyed by language. */
export const readMessages = (): ReadonlyMap<string, Areas> => {
  const languages = new Map<string, Map<string, Map<string, string>>>()
  for (const { area, language, texts } of filesBelow(source, /\.json$/).flatMap(textsIn)) {
    const areas = languages.get(language) ?? new Map<string, Map<string, string>>()
    const flat = new Map<string, string>()
    flatten(texts, '', flat)
    languages.set(language, areas.set(area, flat))
  }
  return languages
}

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

const patternOf = (key: string): RegExp =>
  new RegExp(
    `^${key
      .split(/\$\{[^}]*\}/)
      .map(escapePattern)
      .join('[^.]+')}$`,
  )

const binding = /const \{ ([^}]*)\} = useTranslation\((?:'([^']*)'|`([^`]*)`)?\)/g
const call = /(?<![\w$])([\w$]+)\(\s*(?:'([^'\n]+)'|`([^`\n]+)`)/g

/** Returns the local names of `t` in the bindings of a `useTranslation` call. */
const translatorsOf = (bindings: string): readonly string[] =>
  bindings
    .split(',')
    .map((part) => part.trim())
    .filter((part) => /^t(:|$)/.test(part))
    .map((part) => part.split(':').at(-1)?.trim() ?? part)

/**
 * Returns every message that a source file uses through a literal or a template literal. The area `type-names` consists of the
 * `name` messages of all question and field types.
 */
export const usesIn = (file: string, text: string): readonly Use[] => {
  const events = [
    ...[...text.matchAll(binding)].map((match) => ({ at: match.index, match, kind: 'binding' as const })),
    ...[...text.matchAll(call)].map((match) => ({ at: match.index, match, kind: 'call' as const })),
  ].sort((a, b) => a.at - b.at)
  const areas = new Map<string, string>([
    ['translate', 'common'],
    ['hasText', 'common'],
  ])
  const uses: Use[] = []
  for (const { match, kind } of events) {
    if (kind === 'binding') {
      for (const name of translatorsOf(match[1] ?? '')) areas.set(name, match[2] ?? match[3] ?? 'common')
      continue
    }
    const area = areas.get(match[1] ?? '')
    const whole = match[2] ?? match[3] ?? ''
    if (area === undefined) continue
    const [explicit, rest] = whole.includes(':') ? [whole.split(':')[0], whole.split(':').slice(1).join(':')] : [area, whole]
    const named = explicit ?? area
    if (named === 'type-names') {
      uses.push({ file, area: named, areaPattern: /^(question|field)-types\/[^/]+$/, key: 'name', pattern: /^name$/ })
      continue
    }
    uses.push({ file, area: named, areaPattern: patternOf(named), key: rest ?? whole, pattern: patternOf(rest ?? whole) })
  }
  return uses
}

const usesBelow = (folder: string, files: RegExp): readonly Use[] =>
  filesBelow(folder, files).flatMap((path) => usesIn(relative(folder, path), readFileSync(path, 'utf8')))

export const readUses = (): readonly Use[] => usesBelow(source, /(?<!\.test)\.(ts|tsx)$/)

/** The uses of messages in the templates for new types (`npm run new:question-type` and `npm run new:field-type`). */
export const readTemplateUses = (): readonly Use[] => usesBelow(templates, /(?<!\.test)\.tsx?\.template$/)

const pluralEnding = /_(zero|one|two|few|many|other)$/

/** Returns the key as passed to `t`, without the plural suffix. */
export const baseKey = (key: string): string => key.replace(pluralEnding, '')
export const pluralForm = (key: string): string | null => pluralEnding.exec(key)?.[1] ?? null
export const placeholders = (text: string): readonly string[] =>
  [...new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1] ?? ''))].sort()
