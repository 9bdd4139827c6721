import { escapePart, unescapePart } from '@postil/contract/annotation-query/escape.ts'
import type { ScopeInput, SearchBodyInput } from '@postil/contract/search.ts'
import type { RecordsSearch } from '#lib/url/records-search.ts'

type RecordColumn = 'external_id' | 'status' | 'updated_at'
/** `agreement~QUESTION` sorts by the agreement of the answers to a question. */
export type SortColumn = RecordColumn | `agreement~${string}`
const recordColumns: readonly RecordColumn[] = ['external_id', 'status', 'updated_at']
export type Sort = { readonly column: SortColumn; readonly order: 'asc' | 'desc' }

export const agreementColumn = (question: string): SortColumn => `agreement~${escapePart(question)}`
/** Returns the question whose agreement a column sorts by. Null if the column doesn't sort by agreement. */
const agreementQuestion = (column: string): string | null =>
  /^agreement~[^~]+$/.test(column) ? unescapePart(column.slice('agreement~'.length)) : null

/** Null for insertion order. */
export const readSort = (value: string | undefined): Sort | null => {
  const [column = '', order] = (value ?? '').split('.')
  if (order !== 'asc' && order !== 'desc') return null
  const question = agreementQuestion(column)
  const known = question === null ? recordColumns.find((one) => one === column) : agreementColumn(question)
  return known ? { column: known, order } : null
}

const sortOf = ({ column, order }: Sort) => {
  const question = agreementQuestion(column)
  const scope =
    question === null
      ? { entity: 'record' as const, property: column as RecordColumn }
      : { entity: 'record' as const, property: 'agreement' as const, question }
  return { scope, order }
}

/**
 * Returns the sort after another press on a column's heading. Presses switch between ascending, descending and insertion order.
 */
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

/**
 * A filter for records whose answers differ from each other (`answers`) or from the suggestion (`suggestion`). If `question` is
 * null, a difference in any question is enough.
 */
export type Differ = { readonly from: 'answers' | 'suggestion'; readonly question: string | null }

export const readDiffer = (value: string | undefined): Differ | null => {
  const [from, question, ...more] = (value ?? '').split('~')
  if ((from !== 'answers' && from !== 'suggestion') || question === '' || more.length > 0) return null
  return { from, question: question === undefined ? null : unescapePart(question) }
}
export const printDiffer = ({ from, question }: Differ): string => (question === null ? from : `${from}~${escapePart(question)}`)

type OverlapKind = 'any' | 'single' | 'shared'
/** A filter by how many people have answered a question. */
type Overlap = { readonly kind: OverlapKind; readonly question: string }

export const readOverlap = (value: string | undefined): Overlap | null => {
  const [kind, question, ...more] = (value ?? '').split('~')
  const known = (['any', 'single', 'shared'] as const).find((one) => one === kind)
  return known === undefined || !question || more.length > 0 ? null : { kind: known, question: unescapePart(question) }
}
export const printOverlap = ({ kind, question }: Overlap): string => `${kind}~${escapePart(question)}`

/** A range of agreement. The bounds are in percent; a bound is null if it isn't set. */
type AgreementRange = { readonly question: string; readonly from: number | null; readonly to: number | null }

export const readAgreement = (value: string | undefined): AgreementRange | null => {
  const [from = '', to = '', question, ...more] = (value ?? '').split('~')
  if (!question || more.length > 0) return null
  const bound = (text: string) => (text === '' ? null : Math.min(100, Number(text)))
  return { question: unescapePart(question), from: bound(from), to: bound(to) }
}
/** Returns undefined if there are no bounds, because the filter would have no effect. */
export const printAgreement = ({ question, from, to }: AgreementRange): string | undefined =>
  from === null && to === null ? undefined : `${from ?? ''}~${to ?? ''}~${escapePart(question)}`

type SuggestedResult = 'shown' | 'accepted' | 'changed'
/**
 * A filter by what annotators did with the suggestions that an agent made for a question. `agent` is empty for suggestions that
 * don't name an agent.
 */
export type Suggested = { readonly result: SuggestedResult; readonly question: string; readonly agent: string }

export const readSuggested = (value: string | undefined): Suggested | null => {
  const [result, question, agent, ...more] = (value ?? '').split('~')
  const known = (['shown', 'accepted', 'changed'] as const).find((one) => one === result)
  if (known === undefined || !question || agent === undefined || more.length > 0) return null
  return { result: known, question: unescapePart(question), agent: unescapePart(agent) }
}
export const printSuggested = ({ result, question, agent }: Suggested): string =>
  `${result}~${escapePart(question)}~${escapePart(agent)}`

/** The first moment of a day, or of the day after it, in the browser's time zone. */
const midnight = (day: string, daysLater: number): Date => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + daysLater)
}

const terms = (scope: ScopeInput, ...values: string[]) => ({ type: 'terms' as const, scope, values })

const comparisons: { readonly [K in OverlapKind | SuggestedResult]: readonly string[] } = {
  any: ['same', 'different', 'single'],
  single: ['single'],
  shared: ['same', 'different'],
  shown: ['same', 'different'],
  accepted: ['any_same'],
  changed: ['different'],
}

type Person = { readonly user_id?: string }

/**
 * If answers are compared with suggestions, the comparison can be limited to one person's answers. If answers are compared with
 * each other, the comparison includes everyone's answers unless two people are given.
 */
const differenceScope = ({ from, question }: Differ, person: Person, pair: readonly string[] | null): ScopeInput => ({
  entity: 'response',
  compared_with: from,
  ...(question !== null && { question }),
  ...(from === 'suggestion' ? person : pair !== null && { user_ids: [...pair] }),
})

const answerFilters = ({ by, answer, with: second, other, given, from, to, overlap, differ }: RecordsSearch, person: Person) => {
  const status = given ?? 'submitted'
  const answer_status = status === 'any' ? undefined : status
  const anyStatus = ['submitted', 'draft', 'discarded']
  const answered = readAnswer(answer)
  const otherAnswer = second === undefined ? null : readAnswer(other)
  const isByTime = from !== undefined || to !== undefined
  const isCompared = readOverlap(overlap) !== null || (second !== undefined && readDiffer(differ)?.from === 'answers')
  const response = { entity: 'response' as const }
  const ofStatus = { ...response, property: 'status' as const }
  return [
    ...(isByTime
      ? [
          {
            type: 'range' as const,
            scope: { ...response, property: 'updated_at' as const, answer_status, ...person },
            ...(from !== undefined && { ge: midnight(from, 0).getTime() }),
            ...(to !== undefined && { le: midnight(to, 1).getTime() - 1 }),
          },
        ]
      : []),
    ...((by !== undefined || given !== undefined) && !answered && !isByTime && !isCompared
      ? [terms({ ...ofStatus, ...person }, ...(status === 'any' ? anyStatus : [status]))]
      : []),
    ...(answered ? [terms({ ...response, question: answered.question, answer_status, ...person }, answered.value)] : []),
    ...(otherAnswer && second !== undefined
      ? [terms({ ...response, question: otherAnswer.question, answer_status: 'submitted', user_id: second }, otherAnswer.value)]
      : []),
    ...(second !== undefined && !otherAnswer && !isCompared ? [terms({ ...ofStatus, user_id: second }, 'submitted')] : []),
  ]
}

/* A number that is less than 1 is shown as 99% at most (`formatAgreement`). */

/** The smallest agreement that is displayed as this percentage. */
const leastShownAs = (percent: number): number => (percent === 100 ? 1 : Math.max(0, percent - 0.5) / 100)
/** The largest agreement that is displayed as this percentage. */
const mostShownAs = (percent: number): number => {
  if (percent === 100) return 1
  const next = percent === 99 ? 1 : (percent + 0.5) / 100
  return next - Number.EPSILON / 2
}

/** The page's filters as a search over everyone's answers. */
export const recordsBody = (page: RecordsSearch): SearchBodyInput => {
  const {
    search,
    status,
    review,
    final,
    comments,
    assigned,
    by,
    with: second,
    differ,
    overlap,
    suggested,
    agreement,
    sort,
  } = page
  const person = by === undefined ? {} : { user_id: by }
  const people = [by, second].filter((one) => one !== undefined)
  const differs = readDiffer(differ)
  const counted = readOverlap(overlap)
  const offered = readSuggested(suggested)
  const agreed = readAgreement(agreement)
  const decided = readAnswer(final)
  const order = readSort(sort)
  const filters = [
    ...(status ? [terms({ entity: 'record', property: 'status' }, status)] : []),
    ...(review ? [terms({ entity: 'record', property: 'review' }, review)] : []),
    ...(decided ? [terms({ entity: 'record', property: 'final_answer', question: decided.question }, decided.value)] : []),
    ...(comments ? [terms({ entity: 'record', property: 'comments' }, comments)] : []),
    ...(assigned ? [terms({ entity: 'record', property: 'assigned_to' }, assigned)] : []),
    ...answerFilters(page, person),
    ...(differs ? [terms(differenceScope(differs, person, second === undefined ? null : people), 'different')] : []),
    ...(counted
      ? [
          terms(
            {
              entity: 'response',
              compared_with: 'answers',
              question: counted.question,
              ...(people.length > 0 && { user_ids: people }),
            },
            ...comparisons[counted.kind],
          ),
        ]
      : []),
    ...(offered
      ? [
          terms(
            { entity: 'response', compared_with: 'suggestion', question: offered.question, agent: offered.agent, ...person },
            ...comparisons[offered.result],
          ),
        ]
      : []),
    ...(agreed
      ? [
          {
            type: 'range' as const,
            scope: { entity: 'record' as const, property: 'agreement' as const, question: agreed.question },
            ...(agreed.from !== null && { ge: leastShownAs(agreed.from) }),
            ...(agreed.to !== null && { le: mostShownAs(agreed.to) }),
          },
        ]
      : []),
  ]
  return {
    ...(search && { query: { text: { q: search } } }),
    ...(filters.length > 0 && { filters: { and: filters } }),
    ...(order && { sort: [sortOf(order)] }),
  }
}
