import { describe, expect, test } from 'vitest'
import { formatAgreement } from '#i18n/format.ts'
import { type RecordsSearch, validateRecordsSearch } from '#lib/url/records-search.ts'
import {
  agreementColumn,
  nextSort,
  printAgreement,
  printAnswer,
  printDiffer,
  printOverlap,
  printSuggested,
  readAgreement,
  readAnswer,
  readSort,
  recordsBody,
} from './search-body.ts'

describe('the address of the records page', () => {
  test('keeps known values and drops the others', () => {
    const known = { search: 'id:7', status: 'completed', by: 'ann', differ: 'answers', sort: 'status.desc', record: 'r' }
    expect(validateRecordsSearch({ ...known, page: '3', extra: 'x' })).toEqual(known)
    expect(validateRecordsSearch({ status: 'draft', differ: 'all', search: '' })).toEqual({})
  })

  test('becomes a search over the answers of one person or of everyone', () => {
    const answer = printAnswer({ question: 'a.b~c', value: 'x~y' })
    expect(readAnswer(answer)).toEqual({ question: 'a.b~c', value: 'x~y' })
    expect(recordsBody({})).toEqual({})
    expect(recordsBody({ by: 'ann', answer, differ: 'suggestion', sort: 'updated_at.desc' })).toEqual({
      filters: {
        and: [
          {
            type: 'terms',
            scope: { entity: 'response', question: 'a.b~c', user_id: 'ann', answer_status: 'submitted' },
            values: ['x~y'],
          },
          { type: 'terms', scope: { entity: 'response', compared_with: 'suggestion', user_id: 'ann' }, values: ['different'] },
        ],
      },
      sort: [{ scope: { entity: 'record', property: 'updated_at' }, order: 'desc' }],
    })
    // One person's answers can't be compared with each other, so this filter isn't limited to Ann's answers.
    expect(recordsBody({ by: 'ann', differ: 'answers' }).filters?.and?.at(-1)?.scope).toEqual({
      entity: 'response',
      compared_with: 'answers',
    })
    const differ = printDiffer({ from: 'answers', question: 'a.b~c' })
    expect(validateRecordsSearch({ differ })).toEqual({ differ })
    expect(recordsBody({ differ }).filters?.and?.at(-1)?.scope).toEqual({
      entity: 'response',
      compared_with: 'answers',
      question: 'a.b~c',
    })
  })

  test('finds what the numbers of the overview count', () => {
    const filters = (search: RecordsSearch) => {
      // Every link can be read back from the address.
      expect(validateRecordsSearch(search)).toEqual(search)
      return recordsBody(search).filters?.and ?? []
    }
    const response = { entity: 'response' }
    const answer = printAnswer({ question: 'q', value: 'x' })
    const other = printAnswer({ question: 'q', value: 'y' })
    const ofAnn = { ...response, user_id: 'ann' }
    expect(filters({ given: 'draft', by: 'ann' })).toEqual([
      { type: 'terms', scope: { ...ofAnn, property: 'status' }, values: ['draft'] },
    ])
    const day = { from: '2026-03-01', to: '2026-03-02' }
    const bounds = { ge: new Date(2026, 2, 1).getTime(), le: new Date(2026, 2, 3).getTime() - 1 }
    const times = { ...response, property: 'updated_at' }
    expect(filters(day)).toEqual([{ type: 'range', scope: { ...times, answer_status: 'submitted' }, ...bounds }])
    expect(filters({ ...day, given: 'any' })).toEqual([{ type: 'range', scope: times, ...bounds }])
    expect(filters({ by: 'ann', answer, with: 'ben', other })).toEqual([
      { type: 'terms', scope: { ...ofAnn, question: 'q', answer_status: 'submitted' }, values: ['x'] },
      { type: 'terms', scope: { ...ofAnn, user_id: 'ben', question: 'q', answer_status: 'submitted' }, values: ['y'] },
    ])
    const compared = { ...response, compared_with: 'answers', question: 'q' }
    const pair = { by: 'ann', with: 'ben' }
    expect(filters({ ...pair, overlap: printOverlap({ kind: 'shared', question: 'q' }) })).toEqual([
      { type: 'terms', scope: { ...compared, user_ids: ['ann', 'ben'] }, values: ['same', 'different'] },
    ])
    expect(filters({ ...pair, differ: printDiffer({ from: 'answers', question: 'q' }) })).toEqual([
      { type: 'terms', scope: { ...compared, user_ids: ['ann', 'ben'] }, values: ['different'] },
    ])
    expect(filters({ overlap: printOverlap({ kind: 'single', question: 'q' }) })).toEqual([
      { type: 'terms', scope: compared, values: ['single'] },
    ])
    const offered = { ...response, compared_with: 'suggestion', question: 'q' }
    expect(filters({ suggested: printSuggested({ result: 'accepted', question: 'q', agent: 'a~b' }) })).toEqual([
      { type: 'terms', scope: { ...offered, agent: 'a~b' }, values: ['any_same'] },
    ])
    expect(filters({ suggested: printSuggested({ result: 'shown', question: 'q', agent: '' }) })).toEqual([
      { type: 'terms', scope: { ...offered, agent: '' }, values: ['same', 'different'] },
    ])
    expect(validateRecordsSearch({ given: 'x', from: '1.1.', overlap: 'all~q', suggested: 'shown~q' })).toEqual({})
  })

  test('sorts by a column, then in reverse, then in insertion order', () => {
    const first = nextSort(null, 'status')
    const second = nextSort(readSort(first), 'status')
    expect([first, second, nextSort(readSort(second), 'status')]).toEqual(['status.asc', 'status.desc', undefined])
    expect(readSort('shuffle.asc')).toBeNull()
    const byAgreement = nextSort(null, agreementColumn('a.b~c'))
    expect(validateRecordsSearch({ sort: byAgreement })).toEqual({ sort: byAgreement })
    expect(recordsBody({ sort: byAgreement ?? '' })).toEqual({
      sort: [{ scope: { entity: 'record', property: 'agreement', question: 'a.b~c' }, order: 'asc' }],
    })
    expect(readSort('agreement~.asc')).toBeNull()
  })

  test('finds how much the answers to a question agree', () => {
    const range = { question: 'a.b~c', from: 0, to: 50 }
    const agreement = printAgreement(range)
    expect(readAgreement(agreement)).toEqual(range)
    expect(validateRecordsSearch({ agreement })).toEqual({ agreement })
    const scope = { entity: 'record', property: 'agreement', question: 'a.b~c' }
    const filtersOf = (bounds: object) => [{ type: 'range', scope, ...bounds }]
    const filters = (of: typeof agreement) => recordsBody(of === undefined ? {} : { agreement: of }).filters?.and
    const le = expect.closeTo(0.505, 10)
    expect(filters(agreement)).toEqual(filtersOf({ ge: 0, le }))
    expect(filters(printAgreement({ ...range, from: null }))).toEqual(filtersOf({ le }))
    expect(filters(printAgreement({ ...range, to: null }))).toEqual(filtersOf({ ge: 0 }))
    expect(printAgreement({ ...range, from: null, to: null })).toBeUndefined()
    expect(validateRecordsSearch({ agreement: '~~q' })).toEqual({})
    expect(validateRecordsSearch({ agreement: 'x~50~q' })).toEqual({})
  })

  test('finds every record whose agreement is shown as a percentage within the range', () => {
    const shares = [...Array(201).keys()].flatMap((of) => [...Array(of + 1).keys()].map((n) => n / Math.max(1, of)))
    const shown = [...new Set([...shares, 0.9999, 1 - Number.EPSILON])].map((share) => ({
      share,
      percent: Number.parseInt(formatAgreement(share), 10),
    }))
    for (let percent = 0; percent <= 100; percent++) {
      const agreement = printAgreement({ question: 'q', from: percent, to: percent }) ?? ''
      const bounds = recordsBody({ agreement }).filters?.and?.[0] as { readonly ge: number; readonly le: number } | undefined
      const found = shown.filter(({ share }) => bounds && share >= bounds.ge && share <= bounds.le)
      expect(found).toEqual(shown.filter((one) => one.percent === percent))
    }
  })
})
