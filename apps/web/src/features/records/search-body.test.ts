import { describe, expect, test } from 'vitest'
import { validateRecordsSearch } from '#lib/url/records-search.ts'
import { nextSort, printAnswer, printDiffer, readAnswer, readSort, recordsBody } from './search-body.ts'

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
          { type: 'terms', scope: { entity: 'response', question: 'a.b~c', user_id: 'ann' }, values: ['x~y'] },
          { type: 'terms', scope: { entity: 'response', compared_with: 'suggestion', user_id: 'ann' }, values: ['different'] },
        ],
      },
      sort: [{ scope: { entity: 'record', property: 'updated_at' }, order: 'desc' }],
    })
    // Disagreement is between people, so one person's answers can't be compared with each other.
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

  test('sorts by a column, then in reverse, then in insertion order', () => {
    const first = nextSort(null, 'status')
    const second = nextSort(readSort(first), 'status')
    expect([first, second, nextSort(readSort(second), 'status')]).toEqual(['status.asc', 'status.desc', undefined])
    expect(readSort('shuffle.asc')).toBeNull()
  })
})
