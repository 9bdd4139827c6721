import type { DebianPackage } from './debian-index.ts'
import { bagOfWords, fractionOf, hashOf } from './hash.ts'
import type { DataSettings } from './settings.ts'
import { CANDIDATES } from './settings.ts'

export type Span = { readonly label: string; readonly start: number; readonly end: number }
/** A careful annotator's answer, keyed by question name, in wire format. */
export type Answer = {
  readonly section: string
  readonly tags: readonly string[]
  readonly usefulness: number
  readonly summary: string
  readonly mentions: readonly Span[]
  readonly candidates: readonly { readonly value: string; readonly rank: number }[]
}
export type DataRecord = {
  readonly external_id: string
  readonly fields: { readonly name: string; readonly description: string }
  readonly metadata: { readonly archive_section: string; readonly installed_size: number; readonly description_length: number }
  readonly suggestions: readonly {
    readonly question: string
    readonly value: string
    readonly score: number
    readonly agent: string
  }[]
  readonly vectors: { readonly words: readonly number[] }
  readonly answer: Answer
}

const AGENT = 'debian-index'
/** The fraction of suggestions that differ from the annotator's answer. */
const MISTAKES = 0.15

const list = (names: readonly string[]) => names.slice(0, 12).join(', ')

/** The text that annotators read: the package's index entry as sentences. */
const describe = (one: DebianPackage, variation: DebianPackage | null): string =>
  [
    `${one.description}.`,
    one.depends.length > 0 ? `It depends on ${list(one.depends)}.` : 'It depends on nothing.',
    one.suggests.length > 0 ? `It goes well with ${list(one.suggests)}.` : '',
    one.homepage ? `Its home is ${one.homepage}.` : '',
    variation ? `Compare it with ${variation.name}: ${variation.description}.` : '',
  ]
    .filter(Boolean)
    .join(' ')

const kindOf = (name: string, sections: ReadonlyMap<string, string>): string | null => {
  const section = sections.get(name)
  if (section === undefined) return null
  return name.startsWith('lib') || section === 'libs' || section === 'libdevel' ? 'library' : 'program'
}

/** Finds package names in text. Offsets count code points. */
const mentionsIn = (text: string, sections: ReadonlyMap<string, string>): Span[] => {
  const spans: Span[] = []
  for (const match of text.matchAll(/[a-z0-9][a-z0-9+.-]+[a-z0-9+]/g)) {
    const label = kindOf(match[0], sections)
    if (!label || spans.length >= 20) continue
    const start = [...text.slice(0, match.index)].length
    spans.push({ label, start, end: start + [...match[0]].length })
  }
  return spans
}

const candidatesOf = (one: DebianPackage): Answer['candidates'] => {
  const order = [...CANDIDATES].sort(
    (a, b) => Number(b === one.section) - Number(a === one.section) || hashOf(one.name + a) - hashOf(one.name + b),
  )
  return order.map((value, i) => ({ value, rank: i + 1 }))
}

const answerOf = (
  one: DebianPackage,
  description: string,
  tags: ReadonlySet<string>,
  sections: ReadonlyMap<string, string>,
): Answer => {
  const known = one.tags.filter((tag) => tags.has(tag))
  return {
    section: one.section,
    tags: known.length > 0 ? known : [[...tags][hashOf(one.name) % tags.size] ?? ''],
    usefulness: 1 + (hashOf(`${one.name} useful`) % 5),
    summary: one.description,
    mentions: mentionsIn(description, sections),
    candidates: candidatesOf(one),
  }
}

const suggestionFor = (id: string, section: string, all: readonly string[]): DataRecord['suggestions'] => {
  const isWrong = fractionOf(`${id} mistake`) < MISTAKES
  const value = isWrong ? (all[hashOf(`${id} other`) % all.length] ?? section) : section
  return [{ question: 'section', value, score: Math.round((0.5 + fractionOf(`${id} score`) / 2) * 1000) / 1000, agent: AGENT }]
}

const optionValues = (settings: DataSettings, question: string): string[] => {
  const found = settings.questions.find((one) => one.name === question)?.settings as { options?: { value: string }[] } | undefined
  return found?.options?.map(({ value }) => value) ?? []
}

/**
 * Generates any number of records. The record with a given index is always the same. The packages are in a mixed order, so that
 * neighboring records belong to different sections. If there are more records than packages, the packages are used again. From
 * then on, each text compares the package with another one, so that no two records are equal.
 */
export function* makeRecords(packages: readonly DebianPackage[], settings: DataSettings, count: number): Generator<DataRecord> {
  const mixed = packages
    .map((one) => ({ one, at: hashOf(one.name) }))
    .sort((a, b) => a.at - b.at || (a.one.name < b.one.name ? -1 : 1))
  const sections = new Map(packages.map((one) => [one.name, one.section]))
  const allSections = optionValues(settings, 'section')
  const tags = new Set(optionValues(settings, 'tags'))
  for (let i = 0; i < count; i++) {
    const round = Math.floor(i / mixed.length)
    const one = mixed[i % mixed.length]?.one
    const other = round === 0 ? null : (mixed[(i + round * 7919) % mixed.length]?.one ?? null)
    if (!one) return
    const description = describe(one, other)
    const external_id = round === 0 ? one.name : `${one.name}~${round}`
    yield {
      external_id,
      fields: { name: one.name, description },
      metadata: { archive_section: one.section, installed_size: one.installedSize, description_length: [...description].length },
      suggestions: suggestionFor(external_id, one.section, allSections),
      vectors: { words: bagOfWords(`${one.name} ${description}`) },
      answer: answerOf(one, description, tags, sections),
    }
  }
}
