import { maxPageRecords } from '../wire/limits.ts'
import { printConditions, printSuggestionConditions, readConditions, readSuggestionConditions } from './conditions.ts'
import { escapePart, unescapePart } from './escape.ts'
import type { AnnotationQuery, Page, RecordFilterStatus, Similarity, SortKey, TextSearch } from './grammar.ts'
import { emptyQuery } from './grammar.ts'

/** The query parameters as written in the address. Keys without a value are left out. */
export type AnnotationSearch = {
  readonly page?: string
  readonly status?: RecordFilterStatus
  readonly search?: string
  readonly metadata?: string
  readonly response?: string
  readonly suggestion?: string
  readonly sort?: string
  readonly similarity?: string
}

const entities: readonly SortKey['entity'][] = ['record', 'metadata', 'suggestion', 'response']

const statuses: readonly RecordFilterStatus[] = ['pending', 'draft', 'submitted', 'discarded']

export const readStatus = (value: unknown): RecordFilterStatus | undefined => statuses.find((known) => known === value)

const readPage = (value: string | undefined): Page => {
  const match = /^(\d{1,9})(?:~(\d{1,4}))?$/.exec(value ?? '')
  if (!match) return emptyQuery.page
  const first = Math.max(1, Number(match[1]))
  return match[2] === undefined
    ? { mode: 'focus', number: first }
    : { mode: 'bulk', start: first, size: Math.min(maxPageRecords, Math.max(1, Number(match[2]))) }
}

const printPage = (page: Page): string => (page.mode === 'focus' ? String(page.number) : `${page.start}~${page.size}`)

const allFields = 'all'

/** Reads `TEXT~FIELD`, with `_` for spaces. A field named "all" is escaped, because an unescaped `all` means every field. */
const readTextSearch = (value: string | undefined): TextSearch | null => {
  if (value === undefined) return null
  const at = value.lastIndexOf('~')
  const words = unescapePart((at < 0 ? value : value.slice(0, at)).replaceAll('_', ' '))
  const field = at < 0 ? allFields : value.slice(at + 1)
  return words.trim() === '' ? null : { text: words, field: field === allFields || field === '' ? null : unescapePart(field) }
}

const printTextSearch = ({ text: words, field }: TextSearch): string => {
  // `.` isn't a separator here, so it isn't escaped and a sentence stays readable in the URL.
  const printed = words
    .toWellFormed()
    .replace(/[!%~_]/g, escapePart)
    .replaceAll(' ', '_')
  const name = field === null ? allFields : field === allFields ? 'a!6Cl' : escapePart(field)
  return `${printed}~${name}`
}

const readSortKey = (item: string): SortKey[] => {
  const parts = item.split('.')
  const entity = entities.find((known) => known === parts[0])
  const order = parts.at(-1)
  if (!entity || parts.length < 3 || (order !== 'asc' && order !== 'desc')) return []
  const last = parts.at(-2)
  const hasProperty =
    parts.length > 3 && (entity === 'suggestion' || entity === 'response') && (last === 'score' || last === 'value')
  // Names in old links may contain unescaped dots, so everything between the first part and the last one or two parts is the
  // name.
  const name = unescapePart(parts.slice(1, hasProperty ? -2 : -1).join('.'))
  return [{ entity, name, property: hasProperty ? last : null, order }]
}

const printSortKey = ({ entity, name, property, order }: SortKey): string =>
  [entity, escapePart(name), property, order].filter((part) => part !== null).join('.')

const readSimilarity = (value: string | undefined): Similarity | null => {
  const match = /^record\.([^.]+)\.vector\.(.+)\.limit\.(\d{1,4})\.order\.(most|least)$/s.exec(value ?? '')
  if (!match) return null
  const [, recordId = '', vector = '', limit, order] = match
  return {
    recordId: unescapePart(recordId),
    vector: unescapePart(vector),
    limit: Math.min(1000, Math.max(1, Number(limit))),
    order: order === 'least' ? 'least' : 'most',
  }
}

const printSimilarity = ({ recordId, vector, limit, order }: Similarity): string =>
  `record.${escapePart(recordId)}.vector.${escapePart(vector)}.limit.${limit}.order.${order}`

/** Parses the URL's query parameters. Values that can't be parsed are treated as missing. */
export const readAnnotationQuery = (search: AnnotationSearch): AnnotationQuery => ({
  page: readPage(search.page),
  // If validation drops a key, the router passes the raw value of this key instead. The status is therefore checked again.
  status: readStatus(search.status) ?? emptyQuery.status,
  search: readTextSearch(search.search),
  metadata: readConditions(search.metadata ?? ''),
  response: readConditions(search.response ?? ''),
  suggestion: readSuggestionConditions(search.suggestion ?? ''),
  sort: (search.sort ?? '').split('~').flatMap(readSortKey),
  similarity: readSimilarity(search.similarity),
})

/** Prints the page and the status. Prints other values only if they differ from the defaults. */
export const printAnnotationQuery = (query: AnnotationQuery): AnnotationSearch => {
  const printed = {
    page: printPage(query.page),
    status: query.status,
    search: query.search ? printTextSearch(query.search) : '',
    metadata: printConditions(query.metadata),
    response: printConditions(query.response),
    suggestion: printSuggestionConditions(query.suggestion),
    sort: query.sort.map(printSortKey).join('~'),
    similarity: query.similarity ? printSimilarity(query.similarity) : '',
  }
  return Object.fromEntries(Object.entries(printed).filter(([, value]) => value !== ''))
}
