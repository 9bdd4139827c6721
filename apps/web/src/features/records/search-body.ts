import type { ScopeInput, SearchBodyInput } from '@postil/contract/search.ts'
import { unescapePart } from '@postil/contract/wire/address-parts.ts'
import { escapePart } from '#lib/url/escape.ts'
import type { RecordsSearch } from '#lib/url/records-search.ts'

export type SortColumn = 'external_id' | 'status' | 'updated_at'
const sortColumns: readonly SortColumn[] = ['external_id', 'status', 'updated_at']
export type Sort = { readonly column: SortColumn; readonly order: 'asc' | 'desc' }

/** Null for insertion order. */
export const readSort = (value: string | undefined): Sort | null => {
  const [column, order] = (value ?? '').split('.')
  const known = sortColumns.find((one) => one === column)
  return known && (order === 'asc' || order === 'desc') ? { column: known, order } : null
}

/** The sort after another press on a column's heading: ascending, descending, insertion order. */
export const nextSort = (now: Sort | null, column: SortColumn): string | undefined => {
  if (now?.column !== column) return `${column}.asc`
  return now.order === 'asc' ? `${column}.desc` : undefined
}

export type AnswerFilter = { readonly question: string; readonly value: string }

export const readAnswer = (value: string | undefined): AnswerFilter | null => {
  const [question, answer, ...more] = (value ?? '').split('~')
  if (!question || answer === undefined || more.length > 0) return null
  return { question: unescapePart(question), value: unescapePart(answer) }
}
export const printAnswer = ({ question, value }: AnswerFilter): string => `${escapePart(question)}~${escapePart(value)}`

/** A comparison that finds differences. The question is null for any question. */
export type Differ = { readonly from: 'answers' | 'suggestion'; readonly question: string | null }

export const readDiffer = (value: string | undefined): Differ | null => {
  const [from, question, ...more] = (value ?? '').split('~')
  if ((from !== 'answers' && from !== 'suggestion') || question === '' || more.length > 0) return null
  return { from, question: question === undefined ? null : unescapePart(question) }
}
export const printDiffer = ({ from, question }: Differ): string => (question === null ? from : `${from}~${escapePart(question)}`)

const terms = (scope: ScopeInput, value: string) => ({ type: 'terms' as const, scope, values: [value] })

/**
 * A comparison with the suggestion can be limited to one person's answers. A comparison of answers with each other always
 * includes everyone's.
 */
const differenceScope = ({ from, question }: Differ, person: { readonly user_id?: string }): ScopeInput => ({
  entity: 'response',
  compared_with: from,
  ...(question !== null && { question }),
  ...(from === 'suggestion' && person),
})

/** The page's filters as a search over everyone's answers. */
export const recordsBody = ({ search, status, by, answer, differ, sort }: RecordsSearch): SearchBodyInput => {
  const person = by === undefined ? {} : { user_id: by }
  const answered = readAnswer(answer)
  const differs = readDiffer(differ)
  const order = readSort(sort)
  const filters = [
    ...(status ? [terms({ entity: 'record', property: 'status' }, status)] : []),
    ...(by && !answered ? [terms({ entity: 'response', property: 'status', ...person }, 'submitted')] : []),
    ...(answered ? [terms({ entity: 'response', question: answered.question, ...person }, answered.value)] : []),
    ...(differs ? [terms(differenceScope(differs, person), 'different')] : []),
  ]
  return {
    ...(search && { query: { text: { q: search } } }),
    ...(filters.length > 0 && { filters: { and: filters } }),
    ...(order && { sort: [{ scope: { entity: 'record' as const, property: order.column }, order: order.order }] }),
  }
}
